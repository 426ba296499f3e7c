import type { Sample } from "./driver/closed-loop";
import type { Subject } from "./driver/subject";
import { action, bare, httpRequest, loop, pass, tab, tenant } from "./flows";
import type { Effort } from "./main";
import { MAJORS, NodeRed, type Undici } from "./node-red";
import { interleaved, type Rounds } from "./rounds";
import type { Tenant } from "./tenant-process";
import { userFolder } from "./user-folder";

export const SUBJECTS = ["call-stop", "call-out"] as const;

/**
 * Who does the same requests. `undici` and `dispatch`: its pool alone, used as everybody does and in the leanest way;
 * `bare`: a node of a few lines around
 * the former; `hop`: no request at all, one node that only passes messages on; `core`: the http request node.
 */
export type Contender = "node" | "undici" | "dispatch" | "bare" | "hop" | "core";

export interface RequestRow {
  readonly undici: Undici;
  readonly underWay: number;
  readonly subject: Subject;
  readonly rounds: Rounds<Contender>;
}

/** The nodes against undici alone and against the core node, on each major of undici. */
export async function measureRequests(server: Tenant, effort: Effort): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  for (const undici of MAJORS) {
    const perProcess: RequestRow[][] = [];
    // What the compiler makes of a function differs between processes, by a fifth and more of what a request costs.
    for (let n = 0; n < effort.processes; n += 1) perProcess.push(await inOneProcess(server, undici, n, effort));
    const [first = [], ...others] = perProcess;
    for (const [index, row] of first.entries()) {
      const more = others.flatMap((rowsThere) => rowsThere[index]?.rounds ?? []);
      rows.push({ ...row, rounds: row.rounds.and(more) });
    }
  }
  return rows;
}

async function inOneProcess(server: Tenant, undici: Undici, nth: number, effort: Effort): Promise<RequestRow[]> {
  const rows: RequestRow[] = [];
  const { nodeRed } = await NodeRed.start(userFolder(`requests-${undici}-${nth}`, "shipped"), undici);
  const contenders = SUBJECTS.flatMap((subject) => [
    loop(action(subject)),
    loop(bare(subject, server.origin)),
    loop(httpRequest(subject, server.origin)),
  ]);
  await nodeRed.deploy(tab(tenant(server.origin), loop(pass), ...contenders));
  for (const underWay of effort.underWay) {
    for (const subject of SUBJECTS) {
      const rounds = await interleaved(runs(nodeRed, server, undici, subject, underWay, effort), effort.roundsEach);
      rows.push({ undici, underWay, subject, rounds });
    }
  }
  await nodeRed.stop();
  return rows;
}

function runs(
  nodeRed: NodeRed,
  { origin }: Tenant,
  undici: Undici,
  subject: Subject,
  underWay: number,
  { sampleMs }: Effort,
): Partial<Record<Contender, () => Promise<Sample>>> {
  const load = { underWay, warmUpMs: 100, forMs: sampleMs };
  const flow = (node: string) => () => nodeRed.ask("flow", { loop: `loop ${node}`, payload: subject, ...load });
  const alone = (api: "request" | "dispatch") => () => nodeRed.ask("undici", { origin, api, subject, ...load });
  return {
    undici: alone("request"),
    node: flow(subject),
    dispatch: alone("dispatch"),
    bare: flow(`bare ${subject}`),
    hop: flow("pass"),
    // Without undici, so once is enough.
    ...(undici === "undici" && { core: flow(`http ${subject}`) }),
  };
}
