import assert from "node:assert/strict";
import { at, change, hook, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

describe("the calls that a sandbox sends to webhooks", () => {
  let nodeRed: NodeRed;
  before(async () => {
    nodeRed = await NodeRed.start(await userFolder());
  });
  after(() => nodeRed?.kill());

  it("are offered the addresses of the flows, whose secrets the server fills in", async () => {
    const secret = { name: "CALL_SECRET", type: "str", value: "open sesame" };
    const check = "req.headers.`x-call-secret` = $env('CALL_SECRET')";
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Hooks", env: [secret, { name: "OTHER", type: "str", value: "not named" }] },
      { id: "box", type: "telephony-tenant", mode: "sandbox", name: "The box" },
      at("stop", "call-stop", { tenant: "box" }, []),
      hook("/ring", "is"),
      change("is", `(${check}) & req.headers.other`, ["out"]),
      at("out", "http response", { statusCode: "200" }),
    ]);
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
    const webhookAt = (id: string, more: object) =>
      at(id, "telephony-webhook", { path: `${id}/`, answer: "flow", credentials, ...more }, ["out"]);
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Hooks" },
      { id: "box", type: "telephony-tenant", mode: "sandbox", name: "The box" },
      ...[webhookAt("plain", {}), webhookAt("signed", { sign: "X-Signature" }), webhookAt("off", { d: true })],
      at("out", "http response", { statusCode: "200" }),
      ...["sub", "around"].map((id) => ({ id, type: "subflow", in: [], out: [] })),
      ...[webhookAt("inner", { z: "sub", answer: "taken" }), at("one", "subflow:sub", { z: "around" })],
      at("two", "subflow:around", {}),
    ]);
    const offered = (await (await nodeRed.get("/telephony/sandbox/box/webhooks")).json()) as object[];
    assert.deepEqual(
      offered,
      ["plain", "signed", "inner"].map((id) => `${nodeRed.url}/${id}/`),
    );
    for (const [path, headers, status] of [
      ["/plain/", [], 200],
      ["/signed/", [], 200],
      ["/SIGNED", [], 200],
      ["/inner", [], 202],
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
