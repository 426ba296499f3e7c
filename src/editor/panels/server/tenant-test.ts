import { hasVariable, variableOf } from "../../../fields/variable";
import { joined } from "../../../texts/catalogue";
import { configInput } from "../../inputs/input";
import { translate } from "../../texts";
import { credentialProblem, SAVED, usesRedis } from "../../validate/access";
import { isChosen } from "../../validate/config";
import { problemOf } from "../../validate/valid";
import { showResult } from "./ask";
import { askLines } from "./preview";

/** The advice to follow before a test. */
type Advice = [kind: "hint" | "wrong", text: string];

/** Properties that decide where a request goes, and with which token. */
const ACCESS = ["mode", "url", "token", "authHeader", "tls", "proxy"];

/** Properties that decide where calls wait. */
const ENGINE = ["engine", "redisUrl"];

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
    const access = isDeployed && shown(ACCESS) === before ? { id: node.id } : typedAccess(node);
    const typed = isDeployed && shown(ENGINE) === engineBefore ? {} : typedRedis(node);
    if (Array.isArray(access)) return showResult(result, ...access);
    if (Array.isArray(typed)) return showResult(result, ...typed);
    const body = { ...access, ...typed };
    showResult(result, "busy", translate("schedules.asking"));
    const { lines } = await askLines(node, result, "telephony/tenant/test", body);
    const isFine = lines.every(({ kind }) => kind === "fine");
    const texts = lines.map(({ text }) => text);
    showResult(result, isFine ? "fine" : "wrong", joined(translate, "pattern.sentences", texts));
  }
}

/** Returns what is typed or chosen; "" for nothing. */
function shownText(property: string): string {
  const value = configInput(property).val();
  return isChosen(value) ? String(value).trim() : "";
}

function shown(properties: readonly string[]): string {
  return properties.map(shownText).join("\n");
}

/** The typed address of Redis as a part of a request's body, or what has to be done first. */
function typedRedis(node: EditorNode): Advice | { redisUrl?: string } {
  if (!usesRedis(node)) return {};
  const redisUrl = shownText("redisUrl");
  const problem = credentialProblem(node, "redisUrl", redisUrl);
  if (problem !== undefined) return ["wrong", problem];
  return redisUrl === SAVED || variableOf(redisUrl) !== undefined
    ? ["hint", translate("test.deployFirst")]
    : { redisUrl };
}

/** The typed settings as the body of a request, or what has to be done first. */
function typedAccess(node: EditorNode): Advice | Record<"url" | "token" | "authHeader" | "tls" | "proxy", string> {
  const [url, token] = [shownText("url"), shownText("token")];
  if (shownText("mode") === "sandbox") return ["hint", translate("test.deployFirst")];
  const problem = variableOf(url) === undefined ? problemOf(node, "url", url) : undefined;
  if (problem !== undefined) return ["wrong", problem];
  if (token === "") return ["wrong", translate("valid.token")];
  if (token === SAVED) return ["hint", translate("test.tokenToo")];
  // Node-RED replaces environment variables only when it deploys.
  const [tls, proxy] = [shownText("tls"), shownText("proxy")];
  const isDeployed = [tls, proxy].every((id) => id === "" || RED.nodes.node(id)?.changed !== true);
  if (!isDeployed || hasVariable(url + token)) return ["hint", translate("test.deployFirst")];
  return { url, token, authHeader: shownText("authHeader"), tls, proxy };
}
