import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

interface Change {
  readonly id: string;
  readonly revision: number;
}

/** An editor's connection to Node-RED. */
class Editor {
  readonly changes: Change[] = [];
  readonly #socket: WebSocket;

  static async open(url: string): Promise<Editor> {
    const socket = new WebSocket(`${url.replace("http", "ws")}/comms`);
    await new Promise((opened, failed) => {
      socket.onopen = opened;
      socket.onerror = failed;
    });
    return new Editor(socket);
  }

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      for (const { topic, data: change } of JSON.parse(String(data)) as { topic: string; data: Change }[]) {
        if (topic === "telephony/sandbox") this.changes.push(change);
      }
    };
    this.#send({ subscribe: "telephony/sandbox" });
  }

  watch(id: string): void {
    this.#send({ topic: "telephony/watch", data: id });
  }

  close(): void {
    this.#socket.close();
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }
}

describe("editors that watch a sandbox", () => {
  let nodeRed: NodeRed;
  const flow = (...more: object[]) => [
    { id: "tab", type: "tab", label: "Watched" },
    { id: "box", type: "telephony-tenant", mode: "sandbox", name: "The box" },
    { id: "stop", type: "call-stop", z: "tab", x: 100, y: 40, tenant: "box", wires: [[]] },
    ...more,
  ];
  const post = async (name: string, body: object = {}) => {
    const answer = await nodeRed.post(`/telephony/sandbox/box/${name}`, body, { origin: nodeRed.url });
    assert.equal(answer.status, 200, await answer.text());
  };
  const revision = async () => {
    const answer = await nodeRed.get("/telephony/sandbox/box/view");
    return ((await answer.json()) as { revision: number }).revision;
  };

  before(async () => {
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy(flow() as never);
  });
  after(() => nodeRed?.kill());

  it("are notified that something has changed, after a redeploy too, and receive nothing else", async () => {
    const editor = await Editor.open(nodeRed.url);
    editor.watch("box");
    await eventually(() => editor.changes.length > 0 || undefined);
    for (const ringSeconds of [1, 2]) {
      await post("settings", { ringSeconds });
      const now = await revision();
      await eventually(() => editor.changes.some((change) => change.revision === now) || undefined);
      // Its sandbox moves to another port.
      await nodeRed.deploy(
        flow({ id: "c", type: "comment", z: "tab", x: 100, y: 100, name: `${ringSeconds}` }) as never,
      );
    }
    for (const change of editor.changes) assert.deepEqual(Object.keys(change), ["id", "revision"]);
    editor.close();
  });

  it("are offered the addresses of the flows, whose secrets the server fills in", async () => {
    const secret = { name: "CALL_SECRET", type: "str", value: "open sesame" };
    const check = "req.headers.`x-call-secret` = $env('CALL_SECRET')";
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Hooks", env: [secret, { name: "OTHER", type: "str", value: "not named" }] },
      { id: "box", type: "telephony-tenant", mode: "sandbox", name: "The box" },
      { id: "stop", type: "call-stop", z: "tab", x: 1, y: 1, tenant: "box", wires: [[]] },
      { id: "in", type: "http in", z: "tab", x: 1, y: 1, url: "/ring", method: "post", wires: [["is"]] },
      {
        id: "is",
        type: "change",
        z: "tab",
        x: 1,
        y: 1,
        wires: [["out"]],
        rules: [{ t: "set", p: "payload", pt: "msg", to: `(${check}) & req.headers.other`, tot: "jsonata" }],
      },
      { id: "out", type: "http response", z: "tab", x: 1, y: 1, statusCode: "200", wires: [] },
    ] as never);
    const offered = await (await nodeRed.get("/telephony/sandbox/box/webhooks")).json();
    const webhook = `${nodeRed.url}/ring`;
    assert.deepEqual(offered, [webhook]);
    const header = (name: string, variable: string) => ({ name, value: `\${${variable}}` });
    const headers = [header("X-Call-Secret", "CALL_SECRET"), header("other", "OTHER")];
    const call = { webhook, headers, body: "{}", from: "1", to: "2" };
    const answer = await nodeRed.post("/telephony/sandbox/box/calls", call, { origin: nodeRed.url });
    const text = await answer.text();
    assert.match(text, /"text":"true\$\{OTHER\}"/);
    const view = await (await nodeRed.get("/telephony/sandbox/box/view")).text();
    assert.ok(![text, view, JSON.stringify(offered)].join().includes("open sesame"));
  });

  it("reach the webhooks of the flows, with the secret or a signature that the server adds", async () => {
    const credentials = { secret: "open sesame" };
    const hook = (id: string, more: object) => ({
      ...{ id, type: "telephony-webhook", z: "tab", x: 1, y: 1, path: `${id}/`, answer: "flow", credentials },
      ...{ wires: [["out"]], ...more },
    });
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Hooks" },
      { id: "box", type: "telephony-tenant", mode: "sandbox", name: "The box" },
      ...[hook("plain", {}), hook("signed", { sign: "X-Signature" }), hook("off", { d: true })],
      { id: "out", type: "http response", z: "tab", x: 1, y: 1, statusCode: "200", wires: [] },
    ] as never);
    const offered = (await (await nodeRed.get("/telephony/sandbox/box/webhooks")).json()) as object[];
    assert.deepEqual(
      offered,
      ["plain", "signed"].map((id) => `${nodeRed.url}/${id}/`),
    );
    for (const [path, headers, status] of [
      ["/plain/", [], 200],
      ["/signed/", [], 200],
      ["/SIGNED", [], 200],
      ["/plain", [{ name: "X-Call-Secret", value: "wrong" }], 401],
    ] as const) {
      const webhook = nodeRed.url + path;
      const call = { webhook, headers, body: '{"from": "{{from}}"}', from: "Zoë", to: "2" };
      const answer = await nodeRed.post("/telephony/sandbox/box/calls", call, { origin: nodeRed.url });
      const text = await answer.text();
      assert.equal(JSON.parse(text).data.answered.status, status, text);
      assert.ok(!text.includes("sesame"));
    }
  });
});
