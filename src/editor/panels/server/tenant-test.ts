import { ACCESS, addressProblem, SAVED, shared, shownAccess, shownText as text } from "../kept";
import { ask, type Refusal, reasonOf } from "./ask";
import { tell } from "./tell";

type Answer =
  | { readonly ok: true; readonly schedules: number | null; readonly elapsedMs: number }
  | (Refusal & { readonly code: string });

type Told = [how: "fine" | "hint" | "wrong", text: string];

/** Something answers, but not the service's list: mostly another server, or the wrong path. */
const NOT_THE_SERVICE = ["ERR_REJECTED", "ERR_REDIRECT", "ERR_BAD_RESPONSE"];

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
    if (Array.isArray(body)) return tell(result, ...body);
    tell(result, "busy", shared("schedules.asking"));
    const [how, said] = await ask<Answer>("telephony/tenant/test", body).then(
      (answer) => outcome(node, answer),
      (reason: string): Told => ["wrong", reason],
    );
    const isDirect = "url" in body && ["tls", "proxy"].some((property) => !["", "_ADD_"].includes(text(property)));
    if (mine === turn) tell(result, how, isDirect ? `${said} ${shared("test.direct")}` : said);
  }
}

/** What was typed, as the body of a request; or what has to be done first. */
function typed(): Told | { readonly url: string; readonly token: string; readonly authHeader: string } {
  const [url, token] = [text("url"), text("token")];
  if (text("mode") === "sandbox") return ["hint", shared("test.deployFirst")];
  const problem = addressProblem(url);
  if (problem !== undefined) return ["wrong", problem];
  if (token === "") return ["wrong", shared("valid.token")];
  if (token === SAVED) return ["hint", shared("test.tokenToo")];
  // Only Node-RED itself puts values of the environment in, and only when it deploys.
  return /\$\{/.test(url + token)
    ? ["hint", shared("test.deployFirst")]
    : { url, token, authHeader: text("authHeader") };
}

function outcome(node: EditorNode, answer: Answer): Told {
  if (answer.ok) return ["fine", shared("test.fine", { count: answer.schedules ?? "?", ms: answer.elapsedMs })];
  if (!NOT_THE_SERVICE.includes(answer.code)) return ["wrong", reasonOf(node, answer)];
  const { status } = answer.params ?? {};
  return ["wrong", shared("test.noService", { status: status ?? answer.code })];
}
