import type { Tenant } from "./tenant";

/** How long and how often to measure. */
export interface Effort {
  readonly rounds: number;
  /** Requests are measured in several processes, because the compiled code differs by a fifth from one to the next. */
  readonly processes: number;
  readonly roundsEach: number;
  readonly sampleMs: number;
  readonly inFlight: readonly number[];
  readonly messages: number;
  readonly burst: number;
}

/** One part of the benchmark: it measures and reports its own figures and targets. */
export interface Case {
  readonly name: string;
  run(tenant: Tenant, effort: Effort): Promise<Section>;
}

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

export function atLeast(what: string, least: number, found: number): Target {
  return { what, target: `≥ ${two(least)}`, found: two(found), met: found >= least };
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

export const whole = (value: number) => Math.round(value).toLocaleString("en-US");
export const one = (value: number) => value.toFixed(1);
export const two = (value: number) => value.toFixed(2);
export const megabytes = (bytes: number) => `${one(bytes / 2 ** 20)} MB`;
export const kilobytes = (bytes: number) => `${one(bytes / 1024)} KB`;
