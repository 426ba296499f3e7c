import assert from "node:assert/strict";
import { util } from "@node-red/util";
import { ExampleStage, SECRET } from "../../support/process/example-stage";
import { deployable, example, exampleNames } from "../../support/process/examples";

describe("the example flows, in a real Node-RED", () => {
  const stage = new ExampleStage();

  it("are found by the editor's Import menu", async () => {
    const library = await (
      await stage.nodeRed.get("/library/examples/flows/@cloud-telephony/node-red-call-actions")
    ).text();
    for (const name of exampleNames) assert.ok(library.includes(name), name);
  });

  it("can be deployed all together", async () => {
    await stage.showAll(await Promise.all(exampleNames.map((name) => deployable(name, SECRET))));
  });

  /** Evaluates a Change node's JSONata for an error. */
  const read = (expression: string, error: object) =>
    new Promise((resolve, reject) => {
      const prepared = util.prepareJSONataExpression(expression, { _flow: null } as never);
      util.evaluateJSONataExpression(prepared, { payload: 1, error } as never, (problem, value) =>
        problem ? reject(problem) : resolve(value),
      );
    });
  const changes = exampleNames.flatMap(example).filter(({ type }) => type === "change");
  const rules = changes.flatMap((node) => node["rules"] as { to?: string; tot?: string }[]);
  const answering = rules.filter(({ to, tot }) => tot === "jsonata" && to?.includes("error.code"));

  it("name the code of an error", async () => {
    assert.ok(answering.length >= 10);
    const [code, message, cause] = ["ERR_DUPLICATE", "ERR_DUPLICATE: …", { outcome: "not-applied" }];
    for (const { to = "" } of answering) {
      const now = await read(to, { code, message, cause });
      assert.ok(now === 200 || (now as { code: string }).code === code, to);
      // The error of another node has no code.
      assert.notEqual(await read(to, { message }), undefined);
    }
  });

  it("answer a repeated request with the outcome of the first", async () => {
    const answers = answering.filter(({ to }) => to?.includes('"accepted":'));
    assert.ok(answers.length >= 5);
    for (const { to = "" } of answers) {
      const answerTo = async (outcome: string) => {
        const error = { code: "ERR_DUPLICATE", message: "", cause: { outcome: "not-applied", first: { outcome } } };
        return (await read(to, error)) as { accepted: unknown; message: string; first: unknown };
      };
      for (const [outcome, accepted, words] of [
        ["applied", true, / once\.$/],
        ["pending", null, / is being /],
        ["unknown", null, / may have .*: look before you /],
      ] as const) {
        const answer = await answerTo(outcome);
        assert.deepEqual([answer.accepted, answer.first], [accepted, { outcome }], to);
        assert.match(answer.message, words);
      }
    }
  });
});
