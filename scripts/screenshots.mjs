// npm run screenshots                 pictures of every dialog, light and dark, and the animated ones of the README
// npm run screenshots -- call-stop    of this dialog alone
// npm run screenshots -- animation    the animated pictures alone
// npm run screenshots -- report       the picture of a report alone
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";
import { answerThePhone } from "./screenshots/answer-the-phone.mjs";
import { buildAndTry } from "./screenshots/build-and-try.mjs";
import { report } from "./screenshots/report.mjs";

needNode("22.9.0", "Taking screenshots, which starts Node-RED 5,");
const require = createRequire(import.meta.url);
const { Editor, launch } = require("../dist/test/support/browser/editor.js");
const { flowOf, SANDBOX } = require("../dist/test/support/browser/flows.js");
const { NodeRed } = require("../dist/test/support/browser/node-red.js");
const { NODE_TYPES, PALETTE } = require("../dist/test/support/node-types.js");

/** What a dialog looks like in use; the others are shown as they come from the palette. */
const IN_USE = {
  "call-out": {
    toNumber: "0000000000",
    toNumberType: "str",
    actions: [
      { action: "talk", text: "Hello, this is Acme.", textType: "str", voice: "female" },
      { action: "talk", text: "{{payload.name}}, your order is ready.", textType: "mustache", speed: "0", loop: "1" },
    ],
    actionsType: "list",
    answerUrl: "",
    answerUrlType: "str",
  },
  "call-transfer": { mode: "advanced", toKind: "queue", toKindType: "str", toNumber: "9", toNumberType: "str" },
  "call-add-user": { spyCall: "true", spyCallType: "bool" },
  "business-hour-list": { output: "each" },
  "business-hour-get": { scheduleId: "1", scheduleIdType: "str" },
  "business-hour-create": {
    scheduleName: "Office",
    scheduleNameType: "str",
    days: ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" })),
    daysType: "list",
  },
  "business-hour-ensure": {
    scheduleName: "Office",
    scheduleNameType: "str",
    enabled: "true",
    enabledType: "bool",
    days: ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" })),
    daysType: "list",
    mode: "plan",
  },
  "business-hour-trigger": { scheduleName: "Office", scheduleNameType: "str", closingOffset: "-15" },
  "call-escalate": {
    people: [
      { number: "0000000000", name: "Ada" },
      { number: "12", name: "Ben", type: "internal" },
    ],
    peopleType: "list",
    actions: [
      { action: "talk", text: "Hello {{person.name}}, {{payload.text}}", textType: "mustache", voice: "female" },
    ],
    actionsType: "list",
    answerUrl: "",
    answerUrlType: "str",
  },
  "business-hour-gate": {
    scheduleName: "Office",
    scheduleNameType: "str",
    exceptions: [{ from: "2027-02-05", to: "2027-02-11", name: "Tet" }],
    exceptionsType: "list",
  },
};

/** Pictures that are not of a dialog. */
const OTHERS = {
  animation: async (browser) => {
    await buildAndTry(browser, join(root, "docs", "build-and-try.gif"));
    await answerThePhone(browser, join(root, "docs", "answer-the-phone.gif"));
  },
  report: (browser) => report(browser, join(root, "docs", "rehearsal.png")),
};
const asked = process.argv.slice(2);
const wanted = asked.filter((name) => !Object.hasOwn(OTHERS, name));
const unknown = wanted.find((type) => !NODE_TYPES.includes(type));
if (unknown) refuse(`package.json lists no node "${unknown}".`);

for (const [name, draw] of Object.entries(OTHERS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const browser = await launch();
  try {
    await draw(browser);
  } finally {
    await browser.close();
  }
}
if (asked.length > 0 && wanted.length === 0) process.exit(0);

const folder = join(root, "docs", "dialogs");
mkdirSync(folder, { recursive: true });
const nodes = PALETTE.map((type) => ({ id: type, type, ...IN_USE[type] }));
const nodeRed = await NodeRed.start(flowOf(nodes));
const browser = await launch();
try {
  for (const dark of [false, true]) {
    const editor = await Editor.open(browser, nodeRed, { dark, width: 1100 });
    // The browsers of readers have voices, this one has none.
    await editor.page.evaluate("speechSynthesis.getVoices = () => [{ lang: 'en-US' }]");
    for (const type of wanted.length > 0 ? wanted : NODE_TYPES) {
      await editor.edit(type === SANDBOX.type ? SANDBOX.id : type);
      await editor.page.waitForTimeout(400);
      await editor.page
        .locator(".red-ui-tray")
        .last()
        .screenshot({ path: join(folder, `${type}-${dark ? "dark" : "light"}.png`) });
      await editor.cancel();
    }
    await editor.page.close();
  }
} finally {
  await browser.close();
  await nodeRed.stop();
}
