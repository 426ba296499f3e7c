import { shownAccess } from "../access";
import { openFolds } from "../inputs/folds";
import { rowOf } from "../inputs/input";
import { fillZones } from "../inputs/zones";
import { whenLoaded } from "../load";
import { addressProblem } from "../validate/address";
import { shownLabel } from "../validate/problem";
import { modeOf, validToken } from "../validate/token";
import { shared, words } from "../words";

const id = (property: string) => `#node-config-input-${property}`;

/** Prepares the dialog of a tenant. */
export function prepareTenant(node: EditorNode): void {
  const isNew = !RED.nodes.node(node.id);
  for (const [property, { value }] of Object.entries(node._def.defaults)) {
    if (
      node[property] === undefined &&
      $(id(property)).is("select") &&
      !("type" in (node._def.defaults[property] ?? {}))
    )
      $(id(property)).val(String(value));
  }
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (isNew && timeZone) $(id("timezone")).val(timeZone);
  fillZones($(id("timezone")));
  $(id("mode")).on("change", () => showMode(node));
  $(id("url")).on("input change", showAddress);
  $(id("token")).on("input change", () => showToken(node));
  showMode(node);
  openFolds(node);
  const isDeployed = runs(node);
  const control = $("#telephony-control").toggle(isDeployed);
  const test = $("#telephony-test");
  const before = shownAccess();
  const buttons = test.add(control.find("button")).prop("disabled", true);
  whenLoaded(rowOf(test), ({ prepareControl, prepareTest }) => {
    buttons.prop("disabled", false);
    prepareTest(node, isDeployed, before);
    if (isDeployed) prepareControl(node);
  });
}

/** Whether the server has the tenant as it is here. */
function runs(node: EditorNode): boolean {
  return !node.changed && Boolean(RED.nodes.node(node.id));
}

function showMode(node: EditorNode): void {
  const mode = String($(id("mode")).val());
  $(".telephony-live").toggle(mode !== "sandbox");
  const isSandbox = mode === "sandbox";
  $(".telephony-sandbox").toggle(isSandbox);
  $("#telephony-hint-mode").text(words(node, `hint.mode.${mode}`));
  // Only a deployed sandbox has calls to show.
  const hasCalls = node["mode"] === "sandbox" && runs(node);
  $("#telephony-calls")
    .toggle(isSandbox && hasCalls)
    .attr("href", callsAddress(node.id));
  $("#telephony-calls-later").toggle(isSandbox && !hasCalls);
  showAddress();
  showToken(node);
}

/** A link cannot carry a header: where Node-RED wants to know who asks, the address says it. */
function callsAddress(tenant: string): string {
  const token = RED.settings.get("auth-tokens")?.access_token;
  return `telephony/sandbox/${encodeURIComponent(tenant)}${token ? `?access_token=${encodeURIComponent(token)}` : ""}`;
}

function showAddress(): void {
  showProblem("url", addressProblem(String($(id("url")).val())) ?? true);
}

function showToken(node: EditorNode): void {
  showProblem("token", validToken(node, $(id("token")).val()));
}

function showProblem(property: string, found: true | string): void {
  $(`#telephony-${property}-problem`)
    .text(found === true ? "" : found)
    .toggle(found !== true);
}

/** @returns true, or why the address will be refused */
export function validAddress(node: EditorNode, value: unknown): true | string {
  const problem = modeOf(node) === "sandbox" ? undefined : addressProblem(String(value ?? ""));
  return problem ?? true;
}

/** @returns true, or the range that a number must be in; nothing given means the standard value */
export function validRange(
  node: EditorNode,
  property: string,
  value: unknown,
  from: number,
  to: number,
): true | string {
  const text = String(value ?? "").trim();
  if (text === "" || (Number(text) >= from && Number(text) <= to)) return true;
  return shared("errors.config.range", { field: shownLabel(node, property), from, to });
}

/** The same for a whole number. */
export function validCount(
  node: EditorNode,
  property: string,
  value: unknown,
  from: number,
  to: number,
): true | string {
  const whole = Number.isInteger(Number(String(value ?? "").trim()));
  return validRange(node, property, whole ? value : "?", from, to);
}

/** @returns true, or that the zone is unknown; none given means the server's */
export function validZone(node: EditorNode, value: unknown): true | string {
  const zone = String(value ?? "").trim();
  if (zone === "" || isZone(zone)) return true;
  return shared("errors.config.zoneUnknown", { field: shownLabel(node, "timezone"), zone: zone.slice(0, 60) });
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

const RESERVED_HEADERS = ["host", "content-length", "content-type", "transfer-encoding", "connection", "accept"];

/** @returns true, or that no request could carry the token in such a header */
export function validHeader(node: EditorNode, value: unknown): true | string {
  const header = String(value ?? "").trim();
  const fits = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{0,100}$/.test(header) && !RESERVED_HEADERS.includes(header.toLowerCase());
  return fits ? true : shared("errors.config.authHeader", { field: shownLabel(node, "authHeader") });
}
