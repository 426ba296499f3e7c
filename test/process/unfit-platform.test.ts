import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PALETTE, WITH_INPUT } from "../support/node-types";
import { eventually } from "../support/process/eventually";
import { at, change, type FlowNode, NodeRed, page } from "../support/process/node-red";
import { npm, userFolderOfItsOwn } from "../support/process/user-folder";

/** An Inject node that sends to every node five times a second. */
const FLOW: FlowNode[] = [
  { id: "tab", type: "tab", label: "Unfit" },
  // Two tenants: the platform's problem is independent of both.
  { id: "tenant", type: "telephony-tenant", mode: "sandbox" },
  {
    id: "live",
    type: "telephony-tenant",
    url: "https://acme.example.com",
    credentials: { token: "token-of-the-test" },
  },
  at(
    "loop",
    "inject",
    { once: true, onceDelay: 0.1, repeat: "0.2", props: [{ p: "payload", v: '{"callId": "c", "id": 1}', vt: "json" }] },
    WITH_INPUT,
  ),
  ...PALETTE.map((type) => at(type, type, { tenant: "tenant", scheduleName: "Office" }, [], [])),
  at("other", "call-stop", { tenant: "live" }, []),
  at("caught", "catch", { scope: null }, ["failed"]),
  // A function is synchronous: messages that arrive together do not overwrite each other's.
  at("failed", "function", {
    func: `const { source, code, cause } = msg.error;
      global.set("failed", [...(global.get("failed") || []), { node: source.id, code, cause }]);`,
    outputs: 0,
  }),
  page("/failed", "read"),
  change("read", '$append([], $globalContext("failed"))', ["answer"]),
  at("answer", "http response", {}),
];

interface Failed {
  readonly node: string;
  readonly code?: string;
  readonly cause: { readonly phase: string; readonly sent: string; readonly outcome: string };
}

interface Shown {
  readonly topic: string;
  readonly data: { readonly fill: string; readonly text: string };
}

/** The statuses as an open editor gets them: a Status node receives none of nodes that are created with it. */
async function statuses(url: string, ids: readonly string[]): Promise<Map<string, string>> {
  // Core's own; Node.js 18 has none.
  const Socket = require("ws") as typeof WebSocket;
  const socket = new Socket(`${url.replace("http", "ws")}/comms`);
  const shown = new Map<string, string>();
  socket.onopen = () => socket.send(JSON.stringify({ subscribe: "status/#" }));
  socket.onmessage = ({ data }) => {
    for (const { topic, data: status } of JSON.parse(String(data)) as Shown[])
      if (topic.startsWith("status/")) shown.set(topic.slice("status/".length), `${status.fill} ${status.text}`);
  };
  await eventually(() => ids.every((id) => shown.has(id)) || undefined);
  socket.close();
  return shown;
}

/** A user folder of its own, with this change to the packages in it. */
async function folderWith(change: (modules: string) => unknown): Promise<string> {
  const folder = await userFolderOfItsOwn();
  await change(join(folder, "node_modules"));
  return folder;
}

interface Unfit {
  readonly title: string;
  readonly change: (modules: string) => unknown;
  readonly sentence: RegExp;
  readonly status: string;
}

const { node } = process.versions;
const isOlderThan = (version: string) => node.localeCompare(version, "en", { numeric: true }) < 0;

const UNFIT: readonly Unfit[] = isOlderThan("20.18.1")
  ? [
      {
        title: `Node.js ${node}`,
        change: () => {},
        sentence: /need Node\.js 20\.18\.1 or newer, but Node-RED runs on Node\.js \d+/,
        status: `Node.js ${node}, needs 20.18.1`,
      },
    ]
  : [
      {
        title: "no undici",
        change: (modules) => rmSync(join(modules, "undici"), { recursive: true }),
        sentence: /undici is missing: these nodes need that package/,
        status: "undici is missing",
      },
      isOlderThan("22.19.0")
        ? {
            title: "an undici for a newer Node.js",
            change: (modules) => npm(join(modules, ".."), "install", "--no-audit", "--no-fund", "undici@8.12.4"),
            sentence: /need undici 7, because undici 8\.12\.4 does not work on Node\.js \d+/,
            status: "undici 8.12.4, needs 7",
          }
        : {
            // On a newer Node.js, one that throws like undici 8 on Node.js 20. The matrix has that one itself.
            title: "an undici that cannot be loaded",
            change: (modules) => {
              rmSync(join(modules, "undici"), { recursive: true });
              mkdirSync(join(modules, "undici"));
              const manifest = { name: "undici", version: "8.99.0", main: "index.js", engines: { node: ">=99.0.0" } };
              writeFileSync(join(modules, "undici", "package.json"), JSON.stringify(manifest));
              writeFileSync(join(modules, "undici", "index.js"), "undefined.bind();");
            },
            sentence: /need undici 7, because undici 8\.99\.0 does not work on Node\.js \d+/,
            status: "undici 8.99.0, needs 7",
          },
    ];

describe("an installation on which nothing can be sent", () => {
  for (const { title, change, sentence, status } of UNFIT) {
    describe(title, () => {
      let nodeRed: NodeRed;
      before(async () => {
        nodeRed = await NodeRed.start(await folderWith(change));
        await nodeRed.deploy(FLOW);
      });
      after(() => nodeRed?.kill());
      const ours = [...PALETTE, "other"].filter((id) => id !== "telephony-webhook");

      it("loads every node, and shows why on each that needs its tenant", async () => {
        const shown = await statuses(nodeRed.url, ours);
        for (const id of ours) assert.equal(shown.get(id), `red ${status}`, id);
      });

      it("fails every message with ERR_CONFIG, and continues", async () => {
        const failed = await eventually(async () => {
          const all = (await (await nodeRed.get("/failed")).json()) as Failed[];
          const times = (id: string) => all.filter((each) => each.node === id).length;
          return WITH_INPUT.every((id) => times(id) >= 3) ? all : undefined;
        });
        const seen = new Set(
          failed.map(({ code, cause: { phase, sent, outcome } }) => [code, phase, sent, outcome].join()),
        );
        assert.deepEqual([...seen], ["ERR_CONFIG,config,no,not-applied"]);
      });

      it("logs one sentence once, whatever is deployed", async () => {
        await nodeRed.deploy(FLOW.map((each) => (each.id === "live" ? { ...each, timeout: 5 } : each)));
        const lines = nodeRed.log.split("\n").filter((line) => sentence.test(line));
        assert.equal(lines.length, 1, nodeRed.log);
        assert.doesNotMatch(nodeRed.log, /Uncaught|unhandled|TypeError|\bat .*node_modules/i);
      });

      it("says so where a connection is tested", async () => {
        for (const body of [{ id: "tenant" }, { url: "https://acme.example.com", token: "typed" }]) {
          const answer = await nodeRed.post("/telephony/tenant/test", body, { origin: nodeRed.url });
          const { ok, code, message } = (await answer.json()) as { ok: boolean; code: string; message: string };
          assert.deepEqual([ok, code], [false, "ERR_CONFIG"]);
          assert.match(message, sentence);
        }
      });

      it("ends with code 0 on SIGTERM", async () => {
        assert.equal(await nodeRed.stop(), 0);
      });
    });
  }
});
