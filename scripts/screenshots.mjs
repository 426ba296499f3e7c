// npm run screenshots                 pictures of every dialog, light and dark, and the animated ones of the README
// npm run screenshots -- call-stop    of this dialog alone
// npm run screenshots -- animation    the animated pictures of calls alone
// npm run screenshots -- rehearsal    the animated picture of a rehearsal alone
// npm run screenshots -- report       the picture of a report alone
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { needNode, refuse, root } from "./preconditions.mjs";
import { answerThePhone } from "./screenshots/answer-the-phone.mjs";
import { buildAndTry } from "./screenshots/build-and-try.mjs";
import { rehearseNextWeek } from "./screenshots/rehearse.mjs";
import { report } from "./screenshots/report.mjs";

needNode("22.9.0", "Taking screenshots, which starts Node-RED 5,");
const require = createRequire(import.meta.url);
const { Editor, launch } = require("../dist/test/support/browser/editor.js");
const { flowOf, pairs, SANDBOX } = require("../dist/test/support/browser/flows.js");
const { NodeRed } = require("../dist/test/support/browser/node-red.js");
const { NODE_TYPES, PALETTE } = require("../dist/test/support/node-types.js");

const WEEK = ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" }));
const OFFICE = { ...pairs("str", { scheduleName: "Office" }), ...pairs("list", { days: WEEK }) };

/** What a dialog looks like in use; the others are shown as they come from the palette. */
const IN_USE = {
  "call-out": {
    ...pairs("str", { toNumber: "0000000000", answerUrl: "" }),
    ...pairs("list", {
      actions: [
        { action: "talk", text: "Hello, this is Acme.", textType: "str", voice: "female" },
        { action: "talk", text: "{{payload.name}}, your order is ready.", textType: "mustache", speed: "0", loop: "1" },
      ],
    }),
  },
  "call-transfer": { mode: "advanced", ...pairs("str", { toKind: "queue", toNumber: "9" }) },
  "call-add-user": pairs("bool", { spyCall: "true" }),
  "business-hour-list": { output: "each" },
  "business-hour-get": pairs("str", { scheduleId: "1" }),
  "business-hour-create": OFFICE,
  "business-hour-ensure": { ...OFFICE, ...pairs("bool", { enabled: "true" }), mode: "plan" },
  "business-hour-trigger": { ...pairs("str", { scheduleName: "Office" }), closingOffset: "-15" },
  "call-escalate": {
    ...pairs("list", {
      people: [
        { number: "0000000000", name: "Ada" },
        { number: "12", name: "Ben", type: "internal" },
      ],
      actions: [
        { action: "talk", text: "Hello {{person.name}}, {{payload.text}}", textType: "mustache", voice: "female" },
      ],
    }),
    ...pairs("str", { answerUrl: "" }),
  },
  "business-hour-gate": {
    ...pairs("str", { scheduleName: "Office" }),
    ...pairs("list", { exceptions: [{ from: "2027-02-05", to: "2027-02-11", name: "Tet" }] }),
  },
};

/** Pictures that are not of a dialog. */
const OTHERS = {
  animation: async (browser) => {
    await buildAndTry(browser, join(root, "docs", "build-and-try.gif"));
    await answerThePhone(browser, join(root, "docs", "answer-the-phone.gif"));
  },
  rehearsal: (browser) => rehearseNextWeek(browser, join(root, "docs", "rehearse.gif")),
  report: (browser) => report(browser, join(root, "docs", "rehearsal.png")),
};
const asked = process.argv.slice(2);
const wanted = asked.filter((name) => !Object.hasOwn(OTHERS, name));
const unknown = wanted.find((type) => !NODE_TYPES.includes(type));
if (unknown) refuse(`package.json lists no node "${unknown}".`);

const browser = await launch();
try {
  for (const [name, draw] of Object.entries(OTHERS))
    if (asked.length === 0 || asked.includes(name)) await draw(browser);
  if (asked.length === 0) await dialogs(NODE_TYPES);
  else if (wanted.length > 0) await dialogs(wanted);
} finally {
  await browser.close();
}

async function dialogs(types) {
  const folder = join(root, "docs", "dialogs");
  mkdirSync(folder, { recursive: true });
  const nodes = PALETTE.map((type) => ({ id: type, type, ...IN_USE[type] }));
  const nodeRed = await NodeRed.start(flowOf(nodes));
  try {
    for (const dark of [false, true]) {
      const editor = await Editor.open(browser, nodeRed, { dark, width: 1100 });
      // The browsers of readers have voices, this one has none.
      await editor.page.evaluate("speechSynthesis.getVoices = () => [{ lang: 'en-US' }]");
      for (const type of types) {
        await editor.edit(type === SANDBOX.type ? SANDBOX.id : type);
        await editor.page.waitForTimeout(400);
        const tray = editor.page.locator(".red-ui-tray").last();
        await tray.screenshot({ path: join(folder, `${type}-${dark ? "dark" : "light"}.png`) });
        await editor.cancel();
      }
      await editor.close();
    }
  } finally {
    await nodeRed.stop();
  }
}
