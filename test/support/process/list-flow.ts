import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenDecisions } from "../../../src/workshop/admin/waiting-calls";
import type { LiveTenant } from "../live-tenant";
import type { Campaign } from "./campaign";
import { eventually } from "./eventually";
import { at, type FlowNode, hook, type NodeRed } from "./node-red";

/** A row that has come out of the first output. */
export interface RowOut {
  readonly index: number;
  readonly outcome: string;
  readonly code: string;
  readonly restored?: unknown;
}

/** The message of the second output. */
export interface TableOut {
  readonly payload: readonly { readonly number: string; readonly outcome: string; readonly code: string }[];
  readonly list: { readonly total: number; readonly [fact: string]: unknown };
}

/**
 * A flow: POST /list with rows calls them, POST /stop ends that, POST /go places one call. Outputs are recorded in a file, so that they
 * survive a kill.
 */
export function listFlow(tenant: object, node: object = {}): FlowNode[] {
  const code = (id: string, func: string, ...wires: string[][]) =>
    at(id, "function", { func, outputs: wires.length }, ...wires);
  const says = { tenant: "tenant", answerUrl: "https://example.com/answer", answerUrlType: "str" };
  const apart = "const { req, res, ...rest } = msg;\nreturn [{ payload: msg.payload }, { req, res, payload: {} }];";
  return [
    { id: "tab", type: "tab", label: "List" },
    {
      id: "tenant",
      type: "telephony-tenant",
      name: "Acme",
      fromNumber: "0000000001",
      timeout: "120",
      credentials: { token: "t" },
      ...tenant,
    },
    hook("/list", "list in"),
    code("list in", apart, ["list"], ["answer"]),
    hook("/stop", "stop in"),
    code("stop in", "return [{ stop: true }, { ...msg, payload: {} }];", ["list"], ["answer"]),
    hook("/go", "go in"),
    code("go in", apart, ["call"], ["answer"]),
    at("call", "call-out", { ...says, toNumber: "payload.number", toNumberType: "msg" }, []),
    at("list", "call-list", { ...says, ...node }, ["row"], ["table"]),
    code(
      "row",
      `const { list, telephony: { restored, row: { outcome, code } } } = msg;
global.get("record")({ row: { index: list.index, outcome, code, restored } });`,
      [],
    ),
    code("table", `global.get("record")({ table: { payload: msg.payload, list: msg.list } });`, []),
    at("caught", "catch", { scope: ["list"] }, ["failed"]),
    code("failed", `global.get("record")({ failed: msg.error.code });`, []),
    at("shown", "status", { scope: ["list"] }, ["state"]),
    code("state", `global.get("record")({ status: msg.status.text });`, []),
    at("answer", "http response", {}),
  ];
}

/** Reads what a list flow has recorded. */
export function recorded({ folder }: Campaign) {
  const file = join(folder, "results.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const all = lines.map(
    (line) => JSON.parse(line) as { row?: RowOut; table?: TableOut; failed?: string; status?: string },
  );
  return {
    rows: all.flatMap(({ row }) => row ?? []),
    tables: all.flatMap(({ table }) => table ?? []),
    failed: all.flatMap(({ failed }) => failed ?? []),
    statuses: all.flatMap(({ status }) => status ?? []),
  };
}

/** Waits for so many tables. */
export async function tables(campaign: Campaign, count = 1): Promise<readonly TableOut[]> {
  return eventually(() => (recorded(campaign).tables.length >= count ? recorded(campaign).tables : undefined), 120_000);
}

/** Makes numbers that cannot be dialled, each another one. */
export function numbersOf(count: number, first = 0): readonly { readonly number: string }[] {
  return Array.from({ length: count }, (_, index) => ({ number: `00000${String(first + index).padStart(5, "0")}` }));
}

export async function callList(nodeRed: NodeRed, rows: readonly object[]): Promise<void> {
  const { status } = await nodeRed.post("/list", rows);
  if (status !== 200) throw new Error(`The flow answered ${status}`);
}

/** Calls a row again that may have rung. Resolves to the nodes of all such calls, and whether these can be called again. */
export async function callAgain(
  nodeRed: NodeRed,
): Promise<readonly (readonly [nodeId: string, canCallAgain: boolean])[]> {
  const { calls } = (await (await nodeRed.get("/telephony/tenant/tenant/unknown")).json()) as OpenDecisions;
  const order = { command: "settle", id: calls[0]?.id, as: "call-again" };
  await nodeRed.post("/telephony/tenant/tenant/control", order, { origin: nodeRed.url });
  return calls.map(({ nodeId, canCallAgain }) => [nodeId, canCallAgain]);
}

/** The numbers that were called, in order. */
export function calledNumbers({ received }: LiveTenant): readonly string[] {
  return received.flatMap(({ method, text }) =>
    method === "POST" ? [String((JSON.parse(text) as Record<string, unknown>)["to.number"])] : [],
  );
}

/** The lists of the tenant, as its control shows them. */
export async function listsOf(
  nodeRed: NodeRed,
): Promise<readonly { readonly heldBack: boolean; readonly ended: number }[]> {
  return (await (await nodeRed.get("/telephony/tenant/tenant/control")).json()).lists;
}

/** The files of all lists. */
export function filesOf({ telephonyFolder }: Campaign): readonly string[] {
  const folder = join(telephonyFolder, "lists");
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The lines of the files of all lists. */
export function linesOf(campaign: Campaign): readonly string[] {
  return filesOf(campaign).flatMap((file) => readFileSync(file, "utf8").split("\n"));
}

/** The rows, from 1, that a kill has cut off between the line in the file and the message: nobody is told of them. */
export function cutOffRows(campaign: Campaign): readonly number[] {
  const written = linesOf(campaign)
    .join("\n")
    .matchAll(/^\{"row":(\d+),/gm);
  const told = new Set(recorded(campaign).rows.map(({ index }) => index));
  return [...written].map(([, index]) => Number(index) + 1).filter((index) => !told.has(index));
}

/** Counts how often what must not happen has happened to a list of so many rows. */
export function mistakesOf(campaign: Campaign, tenant: LiveTenant, total: number) {
  const { rows, tables: given } = recorded(campaign);
  const called = calledNumbers(tenant);
  const table = given[0]?.payload ?? [];
  const out = rows.map(({ index }) => index);
  return {
    "called twice": called.length - new Set(called).size,
    "told twice": out.length - new Set(out).size,
    "told by no message": total - new Set(out).size,
    "missing in the table": total - table.length,
    "without an end": table.filter(({ outcome }) => outcome === "").length,
    "called, and said not to be": table.filter(
      ({ number, outcome }) => called.includes(number) && outcome === "not-applied",
    ).length,
    "not called, and said to be": table.filter(
      ({ number, outcome }) => !called.includes(number) && outcome === "applied",
    ).length,
    "tables but one": Math.abs(given.length - 1),
  };
}
