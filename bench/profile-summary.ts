import { readFileSync } from "node:fs";

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const OURS = "this package";

/** Whose code a frame is, first match counts; what belongs to nobody, Node's own functions, counts for its caller. */
const OWNERS: readonly (readonly [owner: string, frame: (frame: Frame) => boolean])[] = [
  ["idle", ({ functionName }) => functionName === "(idle)"],
  ["garbage collector", ({ functionName }) => functionName === "(garbage collector)"],
  [OURS, ({ url }) => /\/dist\/(src|nodes)\//.test(url)],
  ["the benchmark", ({ url }) => /\/dist\/bench\//.test(url)],
  ["undici", ({ url }) => /\/node_modules\/undici/.test(url)],
  ["Node-RED", ({ url }) => /\/node_modules\//.test(url)],
];

export interface Shares {
  /** Percent of the busy time by owner. */
  readonly owners: readonly (readonly [owner: string, percent: number])[];
  /** This package's functions, with what they call of Node itself, in percent of the busy time. */
  readonly functions: readonly (readonly [name: string, percent: number])[];
}

interface Charged {
  readonly owner: string;
  readonly name: string;
}

/** Reads a processor profile: who had the time that was not idle. */
export function summary(file: string): Shares {
  const profile = JSON.parse(readFileSync(file, "utf8")) as Profile;
  const charged = charge(profile);
  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of profile.samples.entries()) {
    const { owner, name } = charged.get(id) ?? { owner: "Node", name: "" };
    if (owner === "idle") continue;
    const time = profile.timeDeltas[index] ?? 0;
    busy += time;
    owners.set(owner, (owners.get(owner) ?? 0) + time);
    if (owner === OURS) functions.set(name, (functions.get(name) ?? 0) + time);
  }
  const descending = (times: Map<string, number>) =>
    [...times].map(([name, time]) => [name, (time / busy) * 100] as const).sort(([, a], [, b]) => b - a);
  return { owners: descending(owners), functions: descending(functions) };
}

/** For each node of the profile's tree, the nearest function from itself upwards that belongs to somebody. */
function charge({ nodes }: Profile): Map<number, Charged> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const charged = new Map<number, Charged>();
  // Parents come before their children.
  for (const { id, callFrame } of nodes) {
    const [owner] = OWNERS.find(([, isIts]) => isIts(callFrame)) ?? [];
    const place = callFrame.url.split("/").slice(-2).join("/");
    const name = `${callFrame.functionName || "(anonymous)"} ${place && `${place}:${callFrame.lineNumber + 1}`}`.trim();
    const above = charged.get(parents.get(id) ?? 0);
    charged.set(id, owner ? { owner, name } : (above ?? { owner: "Node", name }));
  }
  return charged;
}
