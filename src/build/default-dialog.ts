import type { FieldNote } from "../fields/note";
import type { NodeProperty } from "./node-properties";

/** Icons of the rows that dialogs have in common. */
const ICONS: Readonly<Record<string, string>> = {
  name: "fa-tag",
  tenant: "fa-building-o",
  callId: "fa-hashtag",
  scheduleId: "fa-calendar",
  onceKey: "fa-key",
  onceFor: "fa-clock-o",
  onceScope: "fa-arrows-alt",
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

const CONDITIONS = ["onceKey", "onceFor", "onceScope", "notAfter", "anytime", "target"];

/** The template of an action that has none in `nodes/`: a row for each property, in the declaration's order. */
export function defaultTemplate(type: string, properties: readonly NodeProperty[]): string {
  const own = properties.filter(({ property }) => !CONDITIONS.includes(property));
  return `<script type="text/html" data-template-name="${type}">
  ${own.map(rowMark).join("\n  ")}
  {{conditions}}
  {{request}}
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

/** The rows that decide whether a request is sent, in a fold, and the row of the result's property. */
export function conditionRows(properties: readonly NodeProperty[]): string {
  const has = (name: string) => properties.some(({ property }) => property === name);
  const rows = CONDITIONS.flatMap((name) => properties.filter(({ property }) => property === name).map(rowMark));
  if (!has("notAfter")) return rows.join("\n");
  return `<details class="telephony-fold">
  <summary data-i18n="fold.${has("onceKey") ? "conditions" : "notAfter"}"></summary>
  ${rows.join("\n  ")}
</details>`;
}

function rowMark({ property, field }: NodeProperty): string {
  return `{{row ${property} ${ICONS[property] ?? (field && KIND_ICONS[field.kind]) ?? "fa-pencil"}}}`;
}
