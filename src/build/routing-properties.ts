import type { NodeProperty } from "./node-properties";

const NAME: NodeProperty = { property: "name", start: "" };

/** What the nodes that are no action have in a flow file: they ask nothing of the service themselves. */
export const ROUTING_PROPERTIES: Readonly<Record<string, readonly NodeProperty[]>> = {
  "business-hour-gate": [
    NAME,
    // A gate with a week of its own needs none.
    { property: "tenant", start: "", config: "telephony-tenant", note: { kind: "tenant" } },
    { property: "source", start: "tenant", note: { kind: "option", choices: ["tenant", "value"] } },
    { property: "scheduleName", start: "", type: "str", note: { kind: "text" } },
    { property: "scheduleId", start: "", type: "str", note: { kind: "id" } },
    { property: "schedule", start: [], type: "list", note: { kind: "schedule" } },
    { property: "exceptions", start: [], type: "list", note: { kind: "exceptions" } },
    { property: "timezone", start: "", note: { kind: "zone" } },
    { property: "at", start: "", type: "date", note: { kind: "moment" } },
    {
      property: "override",
      start: "",
      type: "str",
      note: { kind: "override", choices: ["open", "closed"], default: "schedule" },
    },
    { property: "refresh", start: "300", note: { kind: "seconds", from: 5, to: 86_400 } },
    { property: "onUnknown", start: "error", note: { kind: "option", choices: ["error", "open", "closed"] } },
  ],
  "telephony-control": [
    NAME,
    { property: "tenant", start: "", config: "telephony-tenant" },
    { property: "command", start: "", note: { kind: "option", choices: ["pause", "resume", "drop", "count"] } },
  ],
};
