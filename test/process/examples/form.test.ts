import assert from "node:assert/strict";
import { answered, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";

describe("the example of a form that calls, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("2 Call a customer", () => {
    const ada = { name: "Ada", number: "0000000000" };
    const post = (body: unknown, headers = {}) => answered(stage.nodeRed.post("/call-a-customer", body, headers));

    beforeEach(() => stage.show("2 Call a customer", SECRET));

    it("serves its form, which uses no other origin", async () => {
      const page = await stage.nodeRed.get("/call-a-customer");
      assert.equal(page.status, 200);
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'.*form-action 'self'/);
      const html = await page.text();
      assert.ok(html.includes("</form>"));
      assert.ok(!html.includes(SECRET));
    });

    it("calls the customer and greets them by name", async () => {
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 200);
      assert.equal(answer.json.accepted, true);
      const [call, ...others] = await stage.calls();
      assert.deepEqual(others, []);
      assert.deepEqual(call?.to, { type: "external", number: "0000000000", alias: "Ada" });
      assert.match(call?.actions?.[0]?.text ?? "", /^Hello Ada,/);
    });

    it("accepts the secret as a form field, and URL-encoded bodies", async () => {
      const body = new URLSearchParams({ ...ada, secret: SECRET });
      const answer = await answered(fetch(`${stage.nodeRed.url}/call-a-customer`, { method: "POST", body }));
      assert.equal(answer.status, 200);
      assert.equal((await stage.calls()).length, 1);
    });

    for (const [what, body, headers] of [
      ["no secret", ada, {}],
      ["a wrong secret", ada, { "x-call-secret": "wrong" }],
      ["an empty secret", { ...ada, secret: "" }, { "x-call-secret": "" }],
      ["a list for a secret", { ...ada, secret: [] }, {}],
      ["no object at all", [1], {}],
    ] as const) {
      it(`refuses ${what}`, async () => {
        assert.equal((await post(body, headers)).status, 401);
        assert.deepEqual(await stage.calls(), []);
      });
    }

    for (const secret of [undefined, ""]) {
      it(`refuses every request while CALL_SECRET is ${secret === undefined ? "not set" : "empty"}`, async () => {
        await stage.show("2 Call a customer", secret);
        for (const said of ["", "undefined", "null", "CALL_SECRET"]) {
          assert.equal((await post({ ...ada, secret: said }, { "x-call-secret": said })).status, 503);
        }
        assert.equal((await post(ada)).status, 503);
        assert.equal((await post({ ...ada, secret: null })).status, 503);
        assert.deepEqual(await stage.calls(), []);
      });
    }

    for (const [what, body] of [
      ["without a number", { name: "Ada" }],
      ["without a name, which the greeting needs", { number: "0000000000" }],
      ["that is a list", []],
    ] as const) {
      it(`answers 400 to a post ${what}, and places no call`, async () => {
        const answer = await post(body, KNOWS);
        assert.equal(answer.status, 400);
        assert.equal(answer.json.code, "ERR_INPUT");
        assert.equal(answer.json.accepted, false);
        assert.deepEqual(await stage.calls(), []);
      });
    }

    it("answers 502 to an unknown outcome, without internals", async () => {
      await stage.injectFaults({ times: 1, status: 503 });
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 502);
      assert.equal(answer.json.code, "ERR_SERVER");
      assert.match(answer.json.message ?? "", /Do not repeat/);
      assert.deepEqual(Object.keys(answer.json).sort(), ["accepted", "code", "message"]);
      assert.doesNotMatch(answer.text, /stack|node_modules|\.js/);
    });

    it("answers 503 when the service is overloaded", async () => {
      await stage.injectFaults({ times: 1, status: 429 });
      const answer = await post(ada, KNOWS);
      assert.equal(answer.status, 503);
      assert.match(answer.json.message ?? "", /can be tried again/);
    });

    it("places one call for repeated posts", async () => {
      const twice = { ...ada, requestId: "one" };
      assert.equal((await post(twice, KNOWS)).status, 200);
      const again = await post(twice, KNOWS);
      assert.equal(again.status, 200);
      assert.equal(again.json.code, "ERR_DUPLICATE");
      assert.equal(again.json.first?.outcome, "applied");
      assert.equal(again.json.accepted, true);
      assert.equal((await stage.calls()).length, 1);
    });

    it("does not report an unknown outcome as accepted when a post is repeated", async () => {
      const twice = { ...ada, requestId: "one" };
      await stage.injectFaults({ times: 1, status: 503 });
      assert.equal((await post(twice, KNOWS)).json.accepted, null);
      const { status, json } = await post(twice, KNOWS);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "unknown"]);
      assert.match(json.message ?? "", /may have been placed: look before you call again/);
      assert.deepEqual(await stage.calls(), []);
    });

    it("does not report a waiting call as accepted", async () => {
      await stage.show("2 Call a customer", SECRET, (node) =>
        node.type === "telephony-tenant" ? { ...node, rate: "0.01" } : node,
      );
      assert.equal((await post(ada, KNOWS)).status, 200);
      // One of them waits throughout this test; the other is answered.
      const both = [1, 2].map(() => post({ ...ada, requestId: "one" }, KNOWS));
      void Promise.allSettled(both);
      const { status, json } = await Promise.race(both);
      assert.deepEqual([status, json.accepted, json.first?.outcome], [200, null, "pending"]);
      assert.match(json.message ?? "", /is being placed/);
      assert.equal((await stage.calls()).length, 1);
    });
  });
});
