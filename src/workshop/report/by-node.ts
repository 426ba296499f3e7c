import { html, type Markup } from "../../page/markup";
import type { Report } from "../rehearsal/make-report";
import { cut, type Parts } from "./parts";
import type { Budget } from "./rows";
import { table } from "./table";
import type { ReportTexts } from "./texts";

/** Events of a node that stand in the timeline. */
export const MOST_IN_LINE = 5;
/** Examples that a row has, and characters of each. */
const EXAMPLES = 10;
const MOST_CHARACTERS = 300;

export type Of = Report["more"][number]["of"];

/** The events of a kind by node, with those that the report only counts. */
export function groupsOf<O extends Of>({ more, ...report }: Report, of: O) {
  type Row = Report[O][number];
  const groups = new Map<string, { readonly first: Row; readonly rows: Row[]; times: number; last: string }>();
  for (const row of report[of] as readonly Row[]) {
    const group = groups.get(row.nodeId) ?? { first: row, rows: [], times: 0, last: "" };
    groups.set(row.nodeId, group);
    group.rows.push(row);
    group.times += 1;
    group.last = row.at;
  }
  for (const { nodeId, of: kind, times, last } of more) {
    const group = kind === of ? groups.get(nodeId) : undefined;
    if (group) Object.assign(group, { times: group.times + times, last });
  }
  return [...groups.values()];
}

/** The repeated effects outside and errors, a row for each node of which the timeline has not all. */
export function byNode(texts: ReportTexts, report: Report, parts: Parts, budget: Budget): (Markup | undefined)[] {
  const of = <O extends Of>(title: O, textOf: (row: Report[O][number]) => string) =>
    table(
      texts,
      budget,
      title,
      groupsOf(report, title).filter(({ times }) => times > MOST_IN_LINE),
      [
        { title: "node", cell: ({ first }) => parts.node(first) },
        { title: "times", className: "at", cell: ({ times }) => texts.count(times) },
        { title: "first", className: "at", cell: ({ first }) => parts.time(first.at) },
        { title: "last", className: "at", cell: ({ last }) => parts.time(last) },
        {
          title: "examples",
          className: "says",
          cell: ({ rows }) =>
            [...new Set(rows.map((row) => cut(textOf(row), MOST_CHARACTERS)))]
              .slice(0, EXAMPLES)
              .map((each) => html`<p><code>${each}</code></p>`),
        },
      ],
    );
  return [
    of("errors", ({ message }) => message),
    of("outside", ({ type, given }) => `${type} ${JSON.stringify(given)}`),
  ];
}
