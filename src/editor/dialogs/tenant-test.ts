import { ACCESS, shownAccess, shownText as text } from "../access";
import { addressProblem } from "../address";
import { shared } from "../words";
import { ask } from "./ask";
import { tell } from "./tell";

type Answer =
  | { readonly ok: true; readonly schedules: number | null; readonly elapsedMs: number }
  | { readonly ok: false; readonly message?: string };

/** How Node-RED shows a saved password. */
const SAVED = "__PWRD__";

/**
 * Lets the button test the connection: that of the deployed tenant, unless the dialog would change it; else the address and
 * the token that were typed here. A saved token never goes to an address that was only typed.
 * @param before what the dialog had when it opened
 */
export function prepareTest(node: EditorNode, isDeployed: boolean, before: string): void {
  const result = $("#telephony-test-result");
  let turn = 0;
  // What was found holds for what was tested.
  for (const property of ACCESS)
    $(`#node-config-input-${property}`).on("change input", () => {
      turn += 1;
      result.empty();
    });
  $("#telephony-test").on("click", () => void run());

  async function run(): Promise<void> {
    turn += 1;
    const mine = turn;
    const body = isDeployed && shownAccess() === before ? { id: node.id } : typed();
    if (typeof body === "string") return tell(result, "wrong", body);
    tell(result, "busy", shared("schedules.asking"));
    const [how, said] = await ask<Answer>("telephony/tenant/test", body).then(outcome, failure);
    const isDirect = "url" in body && ["tls", "proxy"].some((property) => !["", "_ADD_"].includes(text(property)));
    if (mine === turn) tell(result, how, isDirect ? `${said} ${shared("test.direct")}` : said);
  }
}

/** What was typed, as the body of a request; or what has to be done first. */
function typed(): { readonly url: string; readonly token: string; readonly authHeader: string } | string {
  const [url, token] = [text("url"), text("token")];
  if (text("mode") === "sandbox") return shared("test.deployFirst");
  const problem = addressProblem(url);
  if (problem !== undefined) return problem;
  if (token === "" || token === SAVED) return shared("test.tokenToo");
  // Only Node-RED itself puts values of the environment in, and only when it deploys.
  return /\$\{/.test(url + token) ? shared("test.deployFirst") : { url, token, authHeader: text("authHeader") };
}

function outcome(answer: Answer): ["fine" | "wrong", string] {
  if (!answer.ok) return ["wrong", answer.message ?? shared("schedules.unreachable")];
  return ["fine", shared("test.fine", { count: answer.schedules ?? "?", ms: answer.elapsedMs })];
}

function failure(reason: string): ["wrong", string] {
  return ["wrong", reason];
}
