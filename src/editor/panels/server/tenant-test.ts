import type { EngineResult } from "../../../workshop/admin/engine-test";
import type { RefusalAnswer } from "../../../workshop/admin/refused";
import type { ConnectionTest } from "../../../workshop/admin/tenant-routes";
import { configInput } from "../../inputs/input";
import { translate } from "../../texts";
import { addressProblem, credentialProblem, SAVED, usesRedis } from "../../validate/access";
import { ask, reasonOf, showResult } from "./ask";
import { styleText } from "./counts";

type Answer = ConnectionTest | RefusalAnswer;

type Result = [kind: "fine" | "hint" | "wrong", text: string];

/** Properties that decide where a request goes, and with which token. */
const ACCESS = ["mode", "url", "token", "authHeader", "tls", "proxy"];

/** Properties that decide where calls wait. */
const ENGINE = ["engine", "redisUrl"];

/** Codes of an answer that is not the service's list: usually another server, or the wrong path. */
const NOT_THE_SERVICE = ["ERR_REJECTED", "ERR_REDIRECT", "ERR_BAD_RESPONSE"];

/**
 * Makes the button test the connection of the deployed tenant, or else that of the address and the token which are typed
 * in the dialog. A saved token is never sent to an address that was only typed.
 */
export function prepareTest(node: EditorNode, isDeployed: boolean): void {
  const result = $("#telephony-test-result");
  const before = shown(ACCESS);
  const engineBefore = shown(ENGINE);
  // A result holds only for the settings that were tested.
  for (const property of [...ACCESS, ...ENGINE])
    configInput(property).on("change input", () => {
      result.removeData("request").empty();
    });
  $("#telephony-test").on("click", () => void run());

  async function run(): Promise<void> {
    const access = isDeployed && shown(ACCESS) === before ? { id: node.id } : typedAccess();
    const typed = isDeployed && shown(ENGINE) === engineBefore ? {} : typedRedis(node);
    if (Array.isArray(access)) return showResult(result, ...access);
    if (Array.isArray(typed)) return showResult(result, ...typed);
    const body = { ...access, ...typed };
    showResult(result, "busy", translate("schedules.asking"));
    const [kind, text] = await ask<Answer>(result, "telephony/tenant/test", body).then(
      (answer) => outcome(node, answer),
      (reason: string): Result => ["wrong", reason],
    );
    showResult(result, kind, text);
  }
}

function shownText(property: string): string {
  return String(configInput(property).val() ?? "").trim();
}

function shown(properties: readonly string[]): string {
  return properties.map(shownText).join("\n");
}

/** The typed address of Redis as a part of a request's body, or what has to be done first. */
function typedRedis(node: EditorNode): Result | { redisUrl?: string } {
  if (!usesRedis(node)) return {};
  const redisUrl = shownText("redisUrl");
  const problem = credentialProblem(node, "redisUrl", redisUrl);
  if (problem !== undefined) return ["wrong", problem];
  return redisUrl === SAVED || /^\$\{/.test(redisUrl) ? ["hint", translate("test.deployFirst")] : { redisUrl };
}

/** The typed settings as the body of a request, or what has to be done first. */
function typedAccess(): Result | Record<"url" | "token" | "authHeader" | "tls" | "proxy", string> {
  const [url, token] = [shownText("url"), shownText("token")];
  if (shownText("mode") === "sandbox") return ["hint", translate("test.deployFirst")];
  const problem = addressProblem(url);
  if (problem !== undefined) return ["wrong", problem];
  if (token === "") return ["wrong", translate("valid.token")];
  if (token === SAVED) return ["hint", translate("test.tokenToo")];
  // Node-RED replaces environment variables only when it deploys.
  const [tls, proxy] = [chosenNode("tls"), chosenNode("proxy")];
  const isDeployed = [tls, proxy].every((id) => id === "" || RED.nodes.node(id)?.changed !== true);
  if (!isDeployed || /\$\{/.test(url + token)) return ["hint", translate("test.deployFirst")];
  return { url, token, authHeader: shownText("authHeader"), tls, proxy };
}

/** The id of the selected configuration node; "" if none is. */
function chosenNode(property: string): string {
  const id = shownText(property);
  return id === "_ADD_" ? "" : id;
}

function outcome(node: EditorNode, answer: Answer): Result {
  if (answer.ok) {
    const works = translate("test.fine", { count: answer.schedules ?? "?", ms: answer.elapsedMs });
    const { style = {}, engine } = answer;
    const sentences = [works, styleText(style), ...(engine ? [engineText(node, engine)] : [])].filter(Boolean);
    return [engine?.failure !== undefined || engine?.problem ? "wrong" : "fine", sentences.join(" ")];
  }
  if (!NOT_THE_SERVICE.includes(answer.code)) return ["wrong", reasonOf(node, answer)];
  const { status } = answer.params ?? {};
  return ["wrong", translate("test.noService", { status: status ?? answer.code })];
}

/** Where calls wait and what that promises, or what is wrong there. */
function engineText(node: EditorNode, engine: EngineResult): string {
  const { kind, file = "", promise, failure, problem } = engine;
  if (problem !== undefined) return reasonOf(node, problem);
  if (failure !== undefined) return translate("test.engine.fails", { reason: failure });
  const place = translate(`test.engine.${kind}` as const, { file });
  return promise === undefined ? place : `${place} ${translate(`test.promise.${promise}` as const)}`;
}
