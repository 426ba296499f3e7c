// The picture of a report in docs/rehearse.md: a week of orders that come at any hour, of which some come twice.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../preconditions.mjs";

const require = createRequire(import.meta.url);
const { htmlOf } = require("../../dist/src/report/html.js");
const { rehearse } = require("../../dist/src/rehearsal/rehearse.js");

const EXAMPLE = "3 Only call during business hours";
const NAMES = ["Ada", "Ben", "Chi", "Dan", "Eva", "Fay", "Gus", "Hoa", "Ivo", "Jan"];
const SECRET = "open-sesame";

const order = (at, index) => ({
  at,
  post: "/call-in-business-hours",
  headers: { "x-call-secret": SECRET },
  body: {
    requestId: String(index),
    name: NAMES[index % NAMES.length],
    number: `09123456${String(index % 100).padStart(2, "0")}`,
  },
});

export async function report(browser, file) {
  const flows = JSON.parse(readFileSync(join(root, "examples", `${EXAMPLE}.json`), "utf8"));
  // Distances that are no divisors of an hour, so that hours differ.
  const orders = Array.from({ length: 250 }, (_, index) => order(`+${2417 * index + 400 * (index % 7)}s`, index));
  const inputs = [...orders, order("+124860s", 50)];
  const world = { env: { CALL_SECRET: SECRET }, mix: { answers: 0.6, declines: 0.1, "never answers": 0.3 }, inputs };
  const rehearsal = await rehearse({ flows, from: "2026-12-01", world });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: "en-US", colorScheme: "light" });
  await page.setContent(htmlOf({ ...rehearsal, nodeRedPath: "/usr/src/node-red" }));
  await page.locator("#calls").waitFor();
  await page.screenshot({ path: file });
  await page.close();
}
