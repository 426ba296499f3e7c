import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";

describe("the example of an answer address, in a real Node-RED", () => {
  const stage = new ExampleStage();
  const name = "Node-RED is the answer address";
  const query = `?name=Ada&secret=${encodeURIComponent(SECRET)}`;
  const greeting = (json: object) => (json as { actions: { action: string; text: string }[] }).actions;

  it("places a call whose phone asks this flow, which answers", async () => {
    await stage.show(name, SECRET, (node) => {
      if (node.type !== "tab") return node;
      const [secret, address] = node["env"] as object[];
      return { ...node, env: [secret, { ...address, value: stage.nodeRed.url }] };
    });
    await stage.shows(
      "Try it: call Ada",
      /\[debug:What was answered\][^[]*actions: \[[^\]]*Hello Ada, your order is ready/,
    );
    const [call] = await stage.calls();
    assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
  });

  it("answers a request by GET and by POST with what the call does", async () => {
    await stage.show(name, SECRET);
    for (const response of [
      await answered(stage.nodeRed.get(`/call-answer${query}`)),
      await answered(stage.nodeRed.post(`/call-answer${query}`, { call_id: "asked" }, {})),
      await answered(stage.nodeRed.post("/call-answer?name=Ada", { callId: "asked" }, KNOWS)),
    ]) {
      assert.equal(response.status, 200);
      assert.deepEqual(greeting(response.json)[0]?.action, "talk");
      assert.match(greeting(response.json)[0]?.text ?? "", /^Hello Ada,/);
    }
  });

  it("shows what was requested without its secret", async () => {
    await stage.show(name, SECRET);
    const before = stage.nodeRed.log.length;
    await answered(stage.nodeRed.post(`/call-answer${query}`, { call_id: "asked" }, {}));
    const printed = () => stage.nodeRed.log.slice(before);
    await eventually(() => /\[debug:What was asked\][^[]*call_id: 'asked'/.test(printed()) || undefined);
    assert.doesNotMatch(printed(), new RegExp(SECRET));
  });

  it("refuses requests without the secret, and all requests while none is set", async () => {
    await stage.show(name, SECRET);
    assert.equal((await answered(stage.nodeRed.get("/call-answer?name=Ada"))).status, 401);
    assert.equal((await answered(stage.nodeRed.get("/call-answer?name=Ada&secret=wrong"))).status, 401);
    await stage.show(name);
    assert.equal((await answered(stage.nodeRed.get("/call-answer?name=Ada&secret="))).status, 503);
  });
});
