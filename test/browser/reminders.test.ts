import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";

describe("An appointment that is booked, moved and cancelled", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);
  /** A time on the page's clock, so many days from today in Vietnam. */
  const inDays = (days: number, time: string) =>
    `${new Date(Date.now() + days * 86_400_000 + 7 * 3_600_000).toISOString().slice(0, 10)}T${time}`;

  it("is in the tab with its date, rings once when the clock is set forward, and can be called off there", async () => {
    const { page } = editor;
    const example = await ImportedExample.from(editor, "Remind of appointments");
    await editor.deploy();
    await example.shows("Try it: Ada books", "Row by row", /outcome: "planned for/);
    await example.shows("Try it: Ada moves", "Row by row", /outcome: "planned for/);
    const ring = inDays(4, "15:31");
    await example.shows("Try it: Ben books", "Row by row", /name: "Ben"/);
    await page.evaluate("RED.sidebar.show('telephony')");
    const waiting = page.locator(".telephony-waits");
    await waiting.getByText("Waiting calls: 2").click();
    const rows = waiting.locator("li");
    await rows.nth(1).waitFor();
    // Ben's early appointment is four days ahead: a day before, at nine. Ada's was moved to the fifth day.
    const texts = await rows.allInnerTexts();
    assert.deepEqual(
      texts.map((text) => /(\d\d:\d\d)\s+•+000\s+Remind/.exec(text)?.[1]),
      ["09:00", "15:30"],
    );
    assert.equal(await waiting.locator(".telephony-days i").count(), 2);

    await rows.first().getByRole("button", { name: "Call off" }).click();
    await waiting.getByRole("group").getByRole("button", { name: "Call off" }).click();
    await waiting.getByText("Called off").waitFor();
    await waiting.getByText("Waiting calls: 1").waitFor();

    await waiting.locator("summary").click();
    const phones = page.frameLocator(".telephony-tab iframe");
    await phones.locator("summary", { hasText: "Clock, incoming calls, faults" }).click();
    await phones.locator("summary", { hasText: /^Clock$/ }).click();
    await phones.getByLabel("Set the time to").fill(ring);
    await phones.getByRole("button", { name: "Set the clock" }).click();
    await waiting.waitFor({ state: "hidden" });
    const calls = await eventually(async () => {
      const path = await page.locator(".telephony-tab iframe").getAttribute("src");
      const answer = await page.evaluate(`fetch("${path?.split("?")[0]}/calls").then((answer) => answer.json())`);
      return (answer as { to: { alias: string } }[]).length > 0 ? (answer as { to: { alias: string } }[]) : undefined;
    });
    assert.deepEqual(
      calls.map(({ to }) => to.alias),
      ["Ada"],
    );
  });
});
