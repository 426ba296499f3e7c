import { readFileSync } from "node:fs";
import { cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { root } from "../test/support/root";

/** What one case found. */
export interface Section {
  readonly title: string;
  /** Markdown. */
  readonly body: readonly string[];
  readonly targets: readonly Target[];
}

export interface Target {
  readonly what: string;
  readonly target: string;
  readonly found: string;
  readonly met: boolean;
}

export function report(sections: readonly Section[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const system = `${platform()} ${release().split("-")[0]}. Node ${process.versions.node}`;
  const versions = `Node-RED ${version("node-red")}, undici ${version("undici")} and ${version("undici-8")}`;
  const targets = sections.flatMap((section) => section.targets);
  const parts = [
    "# Benchmark",
    `${machine}, ${system}, ${versions}.\n` +
      "Written by `npm run bench`: medians of several rounds of 300 ms, measured with tinybench. The contenders run in turn " +
      "in one Node-RED process against a loopback tenant in a process of its own. Ratios are medians of each round's ratio.",
    "## Targets",
    table(
      ["", "target", "found", ""],
      targets.map(({ what, target, found, met }) => [what, target, found, met ? "met" : "missed"]),
    ),
    ...sections.flatMap(({ title, body }) => [`## ${title}`, ...body]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function version(name: string): string {
  return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;
}

export function atLeast(what: string, least: number, found: number): Target {
  return { what, target: `≥ ${least}`, found: short(found), met: found >= least };
}

export function atMost(what: string, most: number, found: number, unit = ""): Target {
  return { what, target: `≤ ${most} ${unit}`.trim(), found: `${short(found)} ${unit}`.trim(), met: found <= most };
}

/** A Markdown table that is also aligned as plain text: the first column to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => {
    const padded = widths.map((width, column) => (cells[column] ?? "")[column === 0 ? "padEnd" : "padStart"](width));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [head, rule, ...rows].map(line).join("\n");
}

/** Whole from a thousand on, else with two digits after the point. */
export const short = (value: number) => (value >= 1000 ? Math.round(value).toLocaleString("en-US") : value.toFixed(2));
export const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

/** Of an odd number of values. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
