import assert from "node:assert/strict";
import type { Sandbox } from "../../../../src/sandbox/http/server";
import type { SandboxView } from "../../../../src/sandbox/inspect/view";
import { until as untilHolds } from "../../../support/until";
import { ask, PARTIES, press as pressIn, visit } from "../visit";

export const TALK = [{ action: "talk", text: "Hello", voice: "banmai", loop: "1" }];

/** Makes what the tests of the controls do with the sandbox of each test. */
export function controlsOf(sandbox: () => Sandbox) {
  const press = (name: string, body?: unknown, headers?: Record<string, string>) =>
    pressIn(sandbox(), name, body, headers);
  const pressed = async (name: string, body?: unknown) => {
    const { json } = await press(name, body);
    assert.equal(json["success"], true, String(json["message"]));
    return json["data"];
  };
  const view = async (since = 0) =>
    (await visit(`${sandbox().url}/sandbox/view?since=${since}`)).json as unknown as SandboxView;
  const until = async (holds: (view: SandboxView) => boolean) => {
    let now = await view();
    await untilHolds(async () => {
      now = await view();
      return holds(now);
    }, String(holds));
    return now;
  };
  const place = (more: object = { actions: TALK }) =>
    ask(sandbox(), "POST", "/api/v1/call/call-out", { ...PARTIES, ...more });
  return { press, pressed, view, until, place };
}
