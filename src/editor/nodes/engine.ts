import type { Settings } from "../../tenant";
import { configInput, rowOf } from "../inputs/input";
import { nodeText } from "../texts";
import { usesRedis } from "../validate/access";

/** What Node-RED installs with a deploy for the engine of Redis, in the form of a function node's modules. */
const IOREDIS = [{ module: "ioredis@^6", var: "ioredis" }];

/** Shows what the chosen engine promises, and what Redis needs. Simulated calls always wait in memory. */
export function prepareEngine(node: EditorNode): void {
  configInput("mode")
    .add(configInput("engine"))
    .on("change", () => show(node));
  show(node);
}

function show(node: EditorNode): void {
  const engine = configInput("engine");
  const isLive = configInput("mode").val() === "live";
  engine.toggle(isLive);
  const chosen = engine.val() as Settings["engine"];
  const hint = isLive ? (`hint.engine.${chosen || "empty"}` as const) : "hint.engineSimulated";
  $("#telephony-hint-engine").text(nodeText(node, hint));
  const foreign = modulesOf(node).filter((each) => !/^ioredis(@|$)/.test(each));
  const texts = [
    usesRedis(node) && nodeText(node, `hint.modules.${mayInstall() ? "installs" : "forbidden"}`),
    foreign.length > 0 && nodeText(node, "hint.modules.refused", { modules: foreign.join(", ") }),
  ];
  $("#telephony-hint-modules").text(texts.filter(Boolean).join(" "));
  for (const property of ["redisUrl", "group"]) rowOf(configInput(property)).toggle(usesRedis(node));
}

/** Whether Node-RED installs what a function node names. */
function mayInstall(): boolean {
  const settings = ["externalModules.modules.allowInstall", "functionExternalModules"];
  return settings.every((setting) => RED.settings.get(setting, true) !== false);
}

/** The modules that the flow file names. */
function modulesOf(node: EditorNode): string[] {
  const list = (Array.isArray(node["modules"]) ? node["modules"] : [node["modules"]]) as unknown[];
  return list.map((each) => (typeof each === "string" ? each : String(Object(each).module ?? ""))).filter(Boolean);
}

/**
 * Names the modules that Node-RED has to install. Without permission to install, no flow would start for the sake of a listed
 * one, so that the list is empty then, and for any other engine.
 */
export function saveTenant(node: EditorNode): void {
  const modules = usesRedis(node) && mayInstall() ? IOREDIS : [];
  if (JSON.stringify(node["modules"] ?? []) !== JSON.stringify(modules)) node["modules"] = modules;
}
