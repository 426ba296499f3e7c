import { strict as assert } from "node:assert";
import { util } from "@node-red/util";
import type { NodeAPI } from "node-red";
import { previewRequest } from "../../../src/workshop/admin/request-preview";
import { ACTIONS } from "../../support/node-types";
import { speaking } from "../../support/speaking";

/** The problems that a dialog receives when its request cannot be shown: those to fix, without their consequences. */
describe("The problems of a previewed request", () => {
  const RED = { ...speaking("en-US"), util, nodes: { registerType: () => {} } } as unknown as NodeAPI;
  const problems = (type: string, config: object) => previewRequest(RED, ACTIONS, { type, config }).problems;
  const talk = { action: "talk", text: "Hello", textType: "str" };

  for (const [what, type, config, field] of [
    ["an id of letters", "business-hour-get", { scheduleId: "abc", scheduleIdType: "str" }, "id"],
    ["an id of letters", "business-hour-delete", { scheduleId: "abc", scheduleIdType: "str" }, "id"],
    ["a bad speed", "call-out", { actions: [{ ...talk, speed: "fast" }], actionsType: "list" }, "actions[0].speed"],
  ] as const) {
    it(`${what} in ${type} is one problem`, () => {
      const node = { answerUrl: "", answerUrlType: "str", ...config };
      assert.deepEqual(
        problems(type, node).map((problem) => problem.field),
        [field],
      );
    });
  }

  it("are none where a template is shown with its own text", () => {
    const config = {
      toAlias: "Dear {{payload.name}}",
      toAliasType: "mustache",
      actions: [{ action: "talk", text: "Hello {{payload.name}}", textType: "mustache" }],
      actionsType: "list",
      answerUrl: "",
      answerUrlType: "str",
    };
    const answer = previewRequest(RED, ACTIONS, { type: "call-out", config }) as Record<string, unknown>;
    const { "to.alias": alias, actions } = answer["body"] as Record<string, unknown>;
    assert.equal(alias, "Dear {{payload.name}}");
    assert.deepEqual(actions, [{ action: "talk", text: "Hello {{payload.name}}" }]);
    assert.deepEqual(answer["problems"], []);
  });

  it("nothing to say is the dialog's", () => {
    const [problem, ...others] = problems("call-out", {
      actions: [],
      actionsType: "list",
      answerUrl: "",
      answerUrlType: "str",
    });
    assert.deepEqual([problem?.field, others], ["actions", []]);
    assert.match(problem?.message ?? "", /Nothing was found in the dialog/);
  });
});
