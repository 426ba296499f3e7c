import type { FieldNote } from "../fields/note";
import type { NodeProperty } from "./node-properties";

const ICONS: Readonly<Partial<Record<FieldNote["kind"], string>>> = {
  choice: "fa-list-ul",
  boolean: "fa-check-square-o",
  positiveInteger: "fa-sort-numeric-asc",
  id: "fa-hashtag",
};

/** Properties that the dialogs show in a fold, in this order. */
const FOLDED = new Map([
  ["onceKey", "fa-key"],
  ["onceFor", "fa-clock-o"],
  ["onceScope", "fa-arrows-alt"],
  ["notAfter", "fa-hourglass-end"],
  ["target", "fa-envelope-o"],
]);

/** The source of the dialog of an action that has none in `nodes/`: a row for each property, in the declaration's order. */
export function defaultDialog(type: string, icon: string, properties: readonly NodeProperty[]): string {
  const has = (property: string) => properties.some((entry) => entry.property === property);
  const own = properties.filter(({ property }) => !["name", "tenant"].includes(property) && !FOLDED.has(property));
  const folded = [...FOLDED].filter(([property]) => has(property));
  const fold = has("onceKey") ? "fold.conditions" : has("notAfter") ? "fold.notAfter" : undefined;
  return `<script type="text/html" data-template-name="${type}">
  {{row name fa-tag}}
  {{row tenant fa-building-o}}
${own.map(({ property, field }) => `  {{row ${property} ${(field && ICONS[field.kind]) ?? "fa-pencil"}}}`).join("\n")}
${fold ? `  <details class="telephony-fold">\n    <summary data-i18n="${fold}"></summary>` : ""}
${folded.map(([property, name]) => `    {{row ${property} ${name}}}`).join("\n")}
${fold ? "  </details>" : ""}
  {{request}}
</script>

<script type="text/javascript">
  RED.nodes.registerType("${type}", {
    ...telephony.paletteEntry,
    icon: "${icon}",
    defaults: {
      {{defaults}}
    },
  });
</script>
`;
}
