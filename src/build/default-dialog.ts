import type { FieldNote } from "../fields/note";
import type { NodeProperty } from "../runtime/node-properties";

/** Icons of the rows that dialogs have in common. */
const ICONS: Readonly<Record<string, string>> = {
  name: "fa-tag",
  tenant: "fa-building-o",
  callId: "fa-hashtag",
  scheduleId: "fa-calendar",
  onceKey: "fa-key",
  onceAgain: "fa-repeat",
  onceFor: "fa-clock-o",
  onceScope: "fa-arrows-alt",
  notBefore: "fa-hourglass-start",
  notAfter: "fa-hourglass-end",
  anytime: "fa-moon-o",
  target: "fa-envelope-o",
};

/** Icons of other rows, by the kind of their field. */
const KIND_ICONS: Readonly<Partial<Record<FieldNote["kind"], string>>> = {
  choice: "fa-list-ul",
  boolean: "fa-check-square-o",
  positiveInteger: "fa-sort-numeric-asc",
  id: "fa-hashtag",
};

/** Rows of properties. Two on one line stand side by side. */
type Rows = readonly (readonly string[])[];

/** The rows that keep a message from being performed twice. */
const ONCE_ROWS: Rows = [["onceKey"], ["onceAgain"], ["onceFor"], ["onceScope"]];
/** The rows that decide when a request is sent, and the row of the result's property. */
const FOLDED_ROWS: Rows = [["notBefore", "notAfter"], ["anytime"], ["target"]];
const CONDITIONS: readonly string[] = [...ONCE_ROWS, ...FOLDED_ROWS].flat();

/** The template of an action that has none in `nodes/`: a row for each property, in the declaration's order. */
export function defaultTemplate(type: string, properties: readonly NodeProperty[]): string {
  const own = properties.filter(({ property }) => !CONDITIONS.includes(property));
  return `<script type="text/html" data-template-name="${type}">
  ${own.map(rowMark).join("\n  ")}
  {{conditions}}
</script>
`;
}

/** The definition of an action that has none in `nodes/`. */
export function defaultDefinition(type: string, icon: string): string {
  return `
<script type="text/javascript">
  RED.nodes.registerType("${type}", {
    ...telephony.paletteEntry,
    icon: "${icon}",
    defaults: { {{defaults}} },
  });
</script>
`;
}

/** The condition rows of an action; those about the time are in a fold. */
export function conditionRows(properties: readonly NodeProperty[]): string {
  const rowsOf = (rows: Rows) =>
    rows.flatMap((names) => {
      const marks = names.flatMap((name) => properties.filter(({ property }) => property === name).map(rowMark));
      return marks.length > 1 ? [`<div class="telephony-beside">\n    ${marks.join("\n    ")}\n  </div>`] : marks;
    });
  const [once, folded] = [rowsOf(ONCE_ROWS), rowsOf(FOLDED_ROWS)];
  if (folded.length < 2) return [...once, ...folded].join("\n");
  return `${once.join("\n")}
<details class="telephony-fold">
  <summary data-i18n="fold.conditions"></summary>
  ${folded.join("\n  ")}
</details>`;
}

function rowMark({ property, field }: NodeProperty): string {
  return `{{row ${property} ${ICONS[property] ?? (field && KIND_ICONS[field.kind]) ?? "fa-pencil"}}}`;
}
