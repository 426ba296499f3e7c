// npm run screenshots    pictures of every dialog, light and dark, into docs/dialogs
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "./built.mjs";
import { needInstalled, needNode, root } from "./preconditions.mjs";

needNode("22.9.0", "Taking screenshots, which starts Node-RED 5,");
needInstalled("playwright-core", "node-red");
build("--tests");
const require = createRequire(import.meta.url);
const { Editor, launch } = require("../dist/test/browser/editor.js");
const { flowOf, SANDBOX } = require("../dist/test/browser/flows.js");
const { NodeRed } = require("../dist/test/browser/node-red.js");

/** What a dialog looks like in use, and the folds that are opened for its picture. */
const NODES = [
  {
    id: "call-out",
    toNumber: "0000000000",
    toNumberType: "str",
    actions: [
      {
        action: "talk",
        text: "Hello {{payload.name}}, thank you for calling us.",
        textType: "mustache",
        voice: "female",
      },
      { action: "talk", text: "payload.text", textType: "msg", voice: "", speed: "0", loop: "1" },
    ],
    actionsType: "list",
    answerUrl: "",
    answerUrlType: "str",
  },
  { id: "call-stop" },
  { id: "call-transfer", mode: "advanced", toKind: "queue", toKindType: "str", toNumber: "9", toNumberType: "str" },
  { id: "call-add-user", spyCall: "true", spyCallType: "bool" },
  { id: "business-hour-list", output: "each" },
  { id: "business-hour-get", scheduleId: "1", scheduleIdType: "str" },
  {
    id: "business-hour-create",
    scheduleName: "Office",
    scheduleNameType: "str",
    days: ["mon", "tue", "wed", "thu", "fri"].map((day) => ({ day, open: "08:00", close: "17:30" })),
    daysType: "list",
  },
  { id: "business-hour-delete" },
  {
    id: "business-hour-gate",
    scheduleName: "Office",
    scheduleNameType: "str",
    exceptions: [{ from: "2027-02-05", to: "2027-02-11", name: "Tet" }],
    exceptionsType: "list",
  },
  { id: "telephony-control" },
];

const folder = join(root, "docs", "dialogs");
mkdirSync(folder, { recursive: true });
const nodeRed = await NodeRed.start(flowOf(NODES.map((node) => ({ ...node, type: node.id }))));
const browser = await launch();
try {
  for (const dark of [false, true]) {
    const editor = await Editor.open(browser, nodeRed, { dark, width: 1100 });
    for (const id of [...NODES.map((node) => node.id), SANDBOX.id]) {
      await editor.edit(id);
      await editor.page.waitForTimeout(400);
      const name = id === SANDBOX.id ? "telephony-tenant" : id;
      await editor.page
        .locator(".red-ui-tray")
        .last()
        .screenshot({ path: join(folder, `${name}-${dark ? "dark" : "light"}.png`) });
      await editor.cancel();
    }
    await editor.page.close();
  }
} finally {
  await browser.close();
  await nodeRed.stop();
}
