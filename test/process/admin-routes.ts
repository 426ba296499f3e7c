export const GATE = "/telephony/gate/gate/closing";
export const GETS = [
  "/telephony/tenants",
  "/telephony/tenant/tenant/control",
  "/telephony/tenant/tenant/today",
  "/telephony/tenant/tenant/unknown",
  "/telephony/tenant/tenant/business-hours",
  "/telephony/new-sandbox/business-hours",
  GATE,
  "/telephony/metrics",
  "/telephony/sandbox/box",
  "/telephony/sandbox/box/log",
  "/telephony/sandbox/box/calls",
  "/telephony/sandbox/box/view",
  "/telephony/sandbox/box/changes",
  "/telephony/sandbox/box/ringing",
  "/telephony/sandbox/box/webhooks",
  "/telephony/rehearsal",
  "/telephony/rehearsal/tests",
  "/telephony/rehearsal/report",
  "/telephony/list/list/table",
];
/** The buttons of a sandbox's page. */
export const BUTTONS = ["answer", "decline", "hang-up", "settings", "calls", "faults", "clear", "reset"].map(
  (button) => `/telephony/sandbox/box/${button}`,
);
export const POSTS = [
  "/telephony/rehearsal",
  "/telephony/rehearsal/tests",
  "/telephony/rehearsal/inputs",
  "/telephony/rehearsal/wait",
  "/telephony/tenant/test",
  "/telephony/tenant/tenant/control",
  "/telephony/preview",
  "/telephony/preview/fetch",
  GATE,
  "/telephony/control/control",
  "/telephony/list/list/stop",
  ...BUTTONS,
];

const gate = {
  ...{ source: "value", schedule: [{ day: "mon", open: "08:00", close: "17:30" }], scheduleType: "list" },
  timezone: "Asia/Ho_Chi_Minh",
};
// A Monday.
const at = { at: "2026-11-23T09:00" };
const open = /^Mon, Nov 23, 09:00: open until 17:30 · weekly hours · Asia\/Ho_Chi_Minh\nWe are open/;
const number = { number: "0912 345 678" };
const [blocked, decidedLater] = [/^Blocked: this number is never/, /^Decided with each call/];
const christmas = { exceptions: [{ date: "2099-12-25", name: "Christmas" }], exceptionsType: "list" };

/** The subject of a dialog's question, a node, more of the question, and the lines of the answer, or a pattern of them. */
export const PREVIEWS = [
  ["gate", gate, at, open],
  ["gate", gate, { ...at, language: "de" }, /^Mo\., 23\. Nov\., 09:00: geöffnet bis 17:30 · .*\nWe are open/],
  ["gate", { ...gate, override: "closed", overrideType: "str" }, {}, "Closed (override)."],
  ["gate", { ...gate, override: '"closed"', overrideType: "json" }, {}, "Closed (override)."],
  ["gate", { ...gate, override: "auto" }, at, "config.notChoice override"],
  ["gate", { ...gate, timezone: "Mars/Olympus" }, {}, "input.hours.zoneUnknown timezone"],
  ["guard", {}, number, "This number would be called."],
  ["guard", { country: "VN", block: ["+84912*"], blockType: "list" }, number, blocked],
  ["guard", { allow: ["+84912345678"], allowType: "list" }, number, /^Blocked: this number is not among/],
  ["guard", { allow: "PATH", allowType: "global" }, number, decidedLater],
  ["guard", { block: "PATH", blockType: "env" }, number, decidedLater],
  ["guard", { allow: "PATH", allowType: "flow", block: "0912345678", blockType: "list" }, number, blocked],
  ["guard", { country: "XX" }, number, /^config\.\S+ country$/],
  ["guard", { allow: ["alice"], allowType: "list" }, number, /^\S+ allow\[0\]$/],
  ["guard", { block: "payload", blockType: "msg" }, number, /^\S+ block$/],
  ["holidays", christmas, {}, "1 holiday, next: Christmas, Fri 25 December 2099"],
  ["holidays", { exceptions: [], exceptionsType: "list" }, {}, ""],
  ["holidays", { exceptions: "payload", exceptionsType: "msg" }, {}, /come with each message/],
  // The refusal of a value that not everybody may see does not have it.
  [
    "holidays",
    { id: "gate", exceptions: "SECRET_OF_A_TAB", exceptionsType: "env" },
    {},
    "input.hours.listExpected exceptions",
  ],
  ...[
    ["inside", { z: "sub" }, "input.hours.listExpected exceptions"] as const,
    ["new", {}, "input.hours.listExpected exceptions"] as const,
    ["new", { z: "sub" }, /known after you deploy/] as const,
  ].map(([id, more, expected]) => {
    return ["holidays", { id, exceptions: "SECRET_OF_A_TAB", exceptionsType: "env" }, more, expected] as const;
  }),
  ...["gate", "new"].map((id) => {
    const config = { id, exceptions: "NO_SUCH", exceptionsType: "global" };
    return ["holidays", config, { z: "sub" }, /^No holidays known: the source is empty\.$/] as const;
  }),
] as const;
