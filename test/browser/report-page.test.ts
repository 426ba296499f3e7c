import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { htmlOf } from "../../src/workshop/report/html";
import { contrasts } from "../support/browser/contrast";
import { sampleCall, sampleNotPlaced, sampleRehearsal } from "../unit/rehearsal/sample";
import { visitor } from "./sandbox/visitor";

const HOSTILE = `</script><img src=x onerror="alert(1)">{{7*7}}`;

describe("the page of a rehearsal's report", () => {
  const here = visitor();
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "telephony-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const colorScheme of ["light", "dark"] as const)
    it(`stands alone, shows every text as it is, and reads well in the ${colorScheme} theme`, async () => {
      const { page, complaints } = here();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("dialog", (dialog) => {
        complaints.push(dialog.message());
        void dialog.dismiss();
      });
      const calls = ["08:00", "09:00", "09:30"].map((at) => ({
        ...sampleCall(at, "0912345602", HOSTILE),
        node: HOSTILE,
      }));
      const error = { at: sampleNotPlaced.at, nodeId: "f", node: "Text", code: null, message: HOSTILE };
      const inputs = [{ at: sampleNotPlaced.at, kind: "post" as const, target: HOSTILE, status: 200, body: HOSTILE }];
      const rehearsal = sampleRehearsal({
        calls,
        notPlaced: [sampleNotPlaced],
        errors: [error],
        inputs,
        brokenOff: HOSTILE,
      });
      const file = join(folder, "report.html");
      const all = { ...rehearsal, notes: [HOSTILE] };
      writeFileSync(file, htmlOf(all, { language: "ja", isInEditor: true }));
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.goto(pathToFileURL(file).href);
      assert.equal(await page.title(), "リハーサル");
      assert.equal(await page.getAttribute("html", "lang"), "ja");
      assert.equal(await page.locator("#timeline .spoken").first().textContent(), HOSTILE);
      assert.deepEqual(await page.locator(".week td:not([class=''])").filter({ hasText: /\d/ }).allInnerTexts(), [
        "1",
        "2",
      ]);
      const low = (await contrasts(page, "body *:not(script)")).filter(({ ratio }) => ratio < 4.5);
      assert.deepEqual(low, []);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      await page.setViewportSize({ width: 360, height: 700 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        requests.filter((url) => !url.startsWith("data:")),
        [pathToFileURL(file).href],
      );
    });
});
