import type { Findings } from "./main";
import type { RequestRow } from "./requests";
import { digits, megabytes } from "./table";

/** One number that the package is held to. */
export interface Target {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
}

const two = digits(2);

/** The targets, judged by one run's medians, on the undici that is installed with the package. */
export function targets({ requests, gates, endurance, loading }: Findings): Target[] {
  const at = (underWay: number) =>
    requests.find((row) => row.undici === "undici" && row.subject === "call-stop" && row.underWay === underWay);
  return [
    ...stopAt32(at(32)),
    ...stopAt8(at(8)),
    atLeast(
      "gate ÷ core switch node, rate",
      0.9,
      gates.rounds.between("gate", "switch", (a, b) => a.perSecond / b.perSecond),
    ),
    kept(endurance.held),
    unused(loading),
  ];
}

function stopAt32(row: RequestRow | undefined): Target[] {
  if (!row) return [];
  const { rounds } = row;
  const processor = rounds.between("node", "undici", (node, undici) => node.processor / undici.processor);
  const hop = rounds.between("hop", "undici", (pass, undici) => pass.processor / undici.processor);
  return [
    atLeast("call-stop ÷ undici alone, rate, 32 under way", 0.85, rate(row, "undici")),
    {
      what: "call-stop ÷ undici alone, processor time, 32 under way",
      wanted: `≤ 1.25 and the hop's ${two(hop)}`,
      found: two(processor),
      met: processor <= 1.25 + hop,
    },
    atLeast("call-stop ÷ core http request node, rate, 32 under way", 4, rate(row, "core")),
  ];
}

function stopAt8(row: RequestRow | undefined): Target[] {
  if (!row) return [];
  const added = row.rounds.between("node", "undici", (node, undici) => node.p99 - undici.p99);
  return [
    {
      what: "call-stop, p99 added to undici alone, 8 under way",
      wanted: "≤ 0.3 ms",
      found: `${two(added)} ms`,
      met: added <= 0.3,
    },
  ];
}

export function rate({ rounds }: RequestRow, other: "bare" | "undici" | "dispatch" | "core"): number {
  return rounds.between("node", other, (node, alone) => node.perSecond / alone.perSecond);
}

/** What a collection leaves is never the same to the byte; a leak of one small object a message would be tens of MB. */
const UNSTEADY = 2 ** 20;

function kept([first, second, third]: Findings["endurance"]["held"]): Target {
  const grown = (second?.heap ?? 0) - (first?.heap ?? 0);
  const again = (third?.heap ?? 0) - (second?.heap ?? 0);
  return {
    what: `heap, from ${first?.messages} to ${second?.messages} messages, then to ${third?.messages}`,
    wanted: "no growth that stays",
    found: `${megabytes(grown)}, then ${megabytes(again)}`,
    met: Math.min(grown, again, grown + again) <= UNSTEADY,
  };
}

/** Time for its files alone, since a start as a whole varies by more; memory as Node-RED shows it, dialogs and texts included. */
function unused({ alone, without, with: packed }: Findings["loading"]): Target {
  const resident = packed.resident - without.resident;
  return {
    what: "the package where nothing uses it",
    wanted: "≤ 10 ms and 3 MB",
    found: `${digits(1)(alone.ms)} ms, ${megabytes(resident)}`,
    met: alone.ms <= 10 && resident <= 3 * 2 ** 20,
  };
}

function atLeast(what: string, least: number, found: number): Target {
  return { what, wanted: `≥ ${two(least)}`, found: two(found), met: found >= least };
}
