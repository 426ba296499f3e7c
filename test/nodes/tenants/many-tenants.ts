import type { Node, NodeInitializer, NodeMessage, NodeStatus } from "node-red";
import { TOKEN } from "../../support/canary";
import { helper, type Message, nodes as packageNodes } from "../../support/stage";
import { LIMIT_MS, until } from "../../support/until";

const nodes = [
  ...packageNodes,
  require("@node-red/nodes/core/network/05-tls.js"),
  require("@node-red/nodes/core/network/06-httpproxy.js"),
] as unknown as NodeInitializer[];

/** The result of one message, and the final status of its node; texts are keys of the catalogue. */
export interface Met {
  readonly outs: Message[];
  readonly catches: Message[];
  readonly completions: Message[];
  status: NodeStatus | undefined;
}

type Config = Readonly<Record<string, unknown>> & { readonly id: string };

/** Tenants whose messages are in flight at the same time. */
const AT_ONCE = 16;

/**
 * Loads a flow with many tenants and, for each, a node of every type, and sends each node one message.
 * @returns the results, by `"<tenant> <type>"`
 */
export async function manyTenants(
  tenants: readonly Config[],
  payloads: Readonly<Record<string, object>>,
  others: readonly Config[] = [],
): Promise<Map<string, Met>> {
  const place = { z: "tab", x: 100, y: 100 };
  const met = new Map<string, Met>();
  const acting = tenants.flatMap(({ id: tenant }) =>
    Object.keys(payloads).map((type) => ({ ...place, id: `${tenant} ${type}`, type, tenant, wires: [["outs"]] })),
  );
  for (const { id } of acting) met.set(id, { outs: [], catches: [], completions: [], status: undefined });
  const collectors = ["outs", "catches", "completions"] as const;
  await helper.load(
    nodes,
    [
      { id: "tab", type: "tab", label: "many" },
      ...others,
      ...tenants.map((tenant) => ({
        type: "telephony-tenant",
        name: "",
        onTrouble: "fail",
        concurrency: 16,
        ...tenant,
      })),
      ...acting,
      { ...place, id: "catching", type: "catch", scope: null, uncaught: false, wires: [["catches"]] },
      { ...place, id: "completing", type: "complete", scope: acting.map(({ id }) => id), wires: [["completions"]] },
      ...collectors.map((id) => ({ ...place, id, type: "helper", wires: [] })),
    ] as never,
    Object.fromEntries(tenants.map(({ id }) => [id, { token: TOKEN }])) as never,
  );
  const nodeOf = (id: string) => helper.getNode(id) as unknown as Node & NodeJS.EventEmitter;
  for (const list of collectors)
    nodeOf(list).on("input", ((message: Message) => {
      met.get(String(message._msgid))?.[list].push(message);
    }) as never);
  for (const { id } of acting) {
    nodeOf(id).on("call:status", ({ args: [{ fill, shape, text }] }: { args: [NodeStatus] }) => {
      const mine = met.get(id) as Met;
      mine.status = { ...(fill && { fill }), ...(shape && { shape }), text: String(text).replace(/^.*status\./, "") };
    });
  }
  const left = [...tenants];
  const work = async () => {
    for (let tenant = left.shift(); tenant; tenant = left.shift()) {
      const mine = Object.entries(payloads).map(([type, payload]) => {
        const _msgid = `${tenant?.id} ${type}`;
        nodeOf(_msgid).receive({ _msgid, payload: structuredClone(payload) } as NodeMessage);
        return met.get(_msgid) as Met;
      });
      await until(() => mine.every(({ outs, catches }) => outs.length + catches.length > 0), tenant.id, 4 * LIMIT_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await until(() => [...met.values()].every(({ status }) => status?.fill !== "blue"), "none shows that it sends");
  await helper.unload();
  return met;
}
