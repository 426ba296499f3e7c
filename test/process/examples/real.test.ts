import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, ExampleStage, judgingAt, KNOWS, SECRET } from "../../support/process/example-stage";
import { example, exampleNames } from "../../support/process/examples";

/** What no rehearsal shows: what the service is asked for, one tenant of several, and a tab without a secret. */
describe("the examples beyond their own tests, in a real Node-RED", () => {
  const stage = new ExampleStage();
  const post = (path: string, body: unknown, headers = {}) => answered(stage.nodeRed.post(path, body, headers));
  const paths = (name: string) =>
    example(name).flatMap(({ type, url }) => (type === "http in" ? [String(url).replace(/:\w+/, "stop")] : []));

  for (const name of exampleNames.filter((each) => JSON.stringify(example(each)).includes("CALL_SECRET")))
    it(`"${name}" refuses all requests while no secret is set`, async () => {
      await stage.show(name);
      for (const path of new Set(paths(name)))
        for (const body of [
          { callId: "a-call", id: "1" },
          { callId: "a-call", id: "1", secret: null },
        ])
          assert.equal((await post(path, body, { "x-call-secret": "" })).status, 503, path);
      assert.deepEqual(await stage.calls(), []);
    });

  const to = { type: "internal", number: "12" };
  const [ofControl, night] = ["Call control by webhook", "After-hours transfer the caller to the night queue"];
  for (const [name, path, body, participants] of [
    [ofControl, "/call-control/transfer", { to }, [{ ...to, by: "transfer" }]],
    [ofControl, "/call-control/listen", { to }, [{ ...to, by: "add-user", listensOnly: true }]],
    [ofControl, "/call-control/stop", {}, []],
    [night, "/incoming-call", {}, [{ type: "queue", number: "9", alias: "Night queue", by: "transfer/advance" }]],
    [
      "Let a supervisor listen in",
      "/call-taken",
      { user: "21" },
      [{ type: "internal", number: "90", alias: "Supervisor", by: "add-user", listensOnly: true }],
    ],
  ] as const)
    it(`"${name}" asks for what ${path} means`, async () => {
      await stage.show(name, SECRET, judgingAt("2099-01-04T10:00"));
      assert.equal((await post(path, { callId: "a-call", ...body }, KNOWS)).status, 200);
      const [call, ...others] = await stage.calls();
      assert.deepEqual([call?.callId, call?.participants, others], ["a-call", participants, []]);
      assert.equal(call?.state === "ended", path.endsWith("stop"));
      assert.equal(JSON.stringify(call).includes('"blind"'), name === night);
    });

  it("brings the customer into the call of the agent who answers", async () => {
    await stage.show("Ring the agent, then bring the customer in", SECRET);
    await post("/ring-agent", { agent: "12", name: "Ada", number: "0000000000" }, KNOWS);
    await post("/agent-answers", { callId: "taken", user: "12" }, KNOWS);
    assert.deepEqual((await stage.calls()).find(({ callId }) => callId === "taken")?.participants, [
      { type: "external", number: "0000000000", alias: "Ada", by: "add-user" },
    ]);
  });

  it("does not place a waiting call after closing time", async () => {
    // Open on a day in the past, so that closing time is over.
    await stage.show("3 Only call during business hours", SECRET, judgingAt("2024-01-08T10:00"));
    const { status, json } = await post("/call-in-business-hours", { name: "Ada", number: "0000000000" }, KNOWS);
    assert.deepEqual([status, json.code], [409, "ERR_EXPIRED"]);
    assert.deepEqual(await stage.calls(), []);
  });

  it("shows what the phone of a call requested, without its secret", async () => {
    await stage.show("Node-RED is the answer address", SECRET);
    const before = stage.nodeRed.log.length;
    await post(`/call-answer?name=Ada&secret=${encodeURIComponent(SECRET)}`, { call_id: "asked" });
    const printed = () => stage.nodeRed.log.slice(before);
    await eventually(() => /\[debug:What was asked\][^[]*call_id: 'asked'/.test(printed()) || undefined);
    assert.doesNotMatch(printed(), new RegExp(SECRET));
  });

  it("places a call whose phone asks this flow, which answers", async () => {
    await stage.show("Node-RED is the answer address", SECRET, (node) => {
      if (node.type !== "tab") return node;
      const [secret, address] = node["env"] as object[];
      return { ...node, env: [secret, { ...address, value: stage.nodeRed.url }] };
    });
    const text = /\[debug:What was answered\][^[]*actions: \[[^\]]*Hello Ada, your order is ready/;
    await stage.shows("Try it: call Ada", text);
  });

  it("shows which branch failed, and gives the others their hours", async () => {
    await stage.show("The same hours in every branch");
    await stage.injectFaults({ times: 9, status: 403 });
    await stage.shows("Make it so", "Hanoi: failed, Hue: replace, Saigon: replace");
    await stage.injectFaults({ times: 0 });
    await stage.shows("Make it so", "Hanoi: replace, Hue: none, Saigon: none");
    const [office] = (await stage.schedules()).filter(({ name }) => name === "Office");
    assert.deepEqual(office?.days[5], { day: "sat", open: "08:00:00", close: "12:00:00" });
  });

  describe("Check the tenant every night", () => {
    beforeEach(() => stage.show("Check the tenant every night"));

    it("reports paused calls", async () => {
      const [tenant] = stage.shown.flows.filter(({ type }) => type === "telephony-tenant");
      await stage.nodeRed.deploy([
        ...stage.shown.flows,
        { id: "brake-tab", type: "tab", label: "Brake" },
        { id: "brake", z: "brake-tab", type: "inject", props: [], x: 1, y: 1, wires: [["pause"]] },
        { id: "pause", z: "brake-tab", type: "telephony-control", tenant: tenant?.id, command: "pause", x: 2, y: 1 },
      ]);
      await stage.nodeRed.inject("brake");
      await stage.shows("Every night at three", /ok: false.*calls are paused, and 0 wait/s);
    });

    it("has a remedy for every error code of a read", () => {
      // The codes of the table in docs/calls.md without those that only calls, schedules or gates have.
      const codes = ["CONFIG", "AUTH", "DNS", "CONNECT", "CONNECT_TIMEOUT", "TLS", "RATE_LIMITED", "REDIRECT"];
      const more = ["REJECTED", "BAD_RESPONSE", "SERVER", "TIMEOUT", "CONNECTION_LOST", "RESPONSE_TOO_LARGE"];
      const node = JSON.stringify(stage.shown.flows.find((flow) => flow["name"] === "Say what to do"));
      for (const code of [...codes, ...more]) assert.ok(node.includes(`ERR_${code}\\`), code);
    });
  });
});
