import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { clockAt, type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const PLACE = { z: "tab", x: 100, y: 100 };

const DAY = [{ day: "mon", open: "08:00", close: "17:00" }];
/** An edge a minute: however long a deploy takes, one comes soon. */
const MINUTES = Array.from({ length: 30 }, (_, index) => {
  const [open, close] = [2 * index, 2 * index + 1].map((minute) => `08:${String(minute).padStart(2, "0")}`);
  return { day: "mon", open, close };
});

/** GET /sent answers with what a trigger has sent since the process started, in order. */
const flow = (more: object = {}): FlowNode[] => [
  { id: "tab", type: "tab", label: "Trigger" },
  {
    ...PLACE,
    id: "trigger",
    type: "business-hour-trigger",
    source: "value",
    schedule: DAY,
    scheduleType: "list",
    timezone: "Asia/Ho_Chi_Minh",
    wires: [["note"], ["note"]],
    ...more,
  },
  {
    ...PLACE,
    id: "note",
    type: "change",
    rules: [
      {
        t: "set",
        p: "sent",
        pt: "global",
        to: '$append($globalContext("sent"), [payload & " " & businessHour.checkedAt])',
        tot: "jsonata",
      },
    ],
    wires: [[]],
  },
  { ...PLACE, id: "ask", type: "http in", method: "get", url: "/sent", wires: [["list"]] },
  {
    ...PLACE,
    id: "list",
    type: "change",
    rules: [{ t: "set", p: "payload", pt: "msg", to: '$append([], $globalContext("sent"))', tot: "jsonata" }],
    wires: [["answer"]],
  },
  { ...PLACE, id: "answer", type: "http response", wires: [] },
];

describe("business-hour-trigger in a real Node-RED", () => {
  let nodeRed: NodeRed;
  afterEach(() => nodeRed?.kill());

  /** 2026-11-23 is a Monday. */
  const startAt = async (folder: string, at: string, then?: string) => {
    nodeRed = await NodeRed.start(folder, clockAt(at, then));
  };
  const sent = async () => (await (await nodeRed.get("/sent")).json()) as string[];

  for (const type of ["full", "flows", "nodes"] as const)
    it(`sends each edge once while deploys of type ${type} follow one another`, async () => {
      await startAt(await userFolder(), "2026-11-23T07:30:00+07:00", "2026-11-23T07:59:57+07:00");
      await nodeRed.deploy(flow({ schedule: MINUTES }));
      nodeRed.setClock();
      let deploys = 0;
      let after = 0;
      while (after < 3) {
        deploys += 1;
        await nodeRed.deploy(flow({ schedule: MINUTES, name: `Deploy ${deploys}` }), type);
        if ((await sent()).length > 0) after += 1;
      }
      const edges = await sent();
      assert.match(edges[0] ?? "", /^(open|closed) 2026-11-23T08:\d\d:00\+07:00$/);
      const times = edges.map((edge) => Date.parse(edge.split(" ")[1] ?? ""));
      for (const [index, time] of times.slice(1).entries())
        assert.equal(time, (times[index] ?? 0) + 60_000, edges.join());
    });

  it("sends nothing for openings and closings during a downtime, and the state at start if configured", async () => {
    const folder = await userFolder();
    await startAt(folder, "2026-11-23T16:00:00+07:00");
    await nodeRed.deploy(flow({ atStart: true }));
    const [state] = await eventually(async () => ((await sent()).length > 0 ? sent() : undefined));
    assert.match(String(state), /^open 2026-11-23T16:0/);
    await nodeRed.stop();

    await startAt(folder, "2026-11-23T17:30:00+07:00");
    await eventually(async () => (await sent()).length > 0 || undefined);
    for (const text of await sent()) assert.match(text, /^closed 2026-11-23T17:3/);
    assert.equal((await sent()).length, 1);
  });
});
