import { strict as assert } from "node:assert";
import type { Locator } from "playwright-core";
import { flowOf } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";

const DAYS = [
  { day: "mon", open: "08:00:00", close: "12:00:00" },
  { day: "mon", open: "13:00:00", close: "17:30:00" },
];

describe("The week editor", () => {
  const day = (name: string) => editor.page.locator(`.telephony-day[aria-label="${name}"]`);
  const button = (within: Locator, label: string) => within.locator(`button[aria-label="${label}"]`);
  const notes = async (name: string) => (await day(name).locator(".telephony-notes p").allTextContents()).join(" ");
  const days = () => editor.property("create", "days");

  /** Reads what the inputs of a day show. */
  async function times(name: string): Promise<string[]> {
    const inputs = await day(name).locator(".telephony-pair input").all();
    return Promise.all(inputs.map((input) => input.inputValue()));
  }

  /** Opens the dialog on a week. */
  async function edit(week: unknown): Promise<void> {
    await editor.change("create", { days: week });
    await editor.edit("create");
  }

  /** Adds an opening and types its times. */
  async function add(name: string, open: string, close: string): Promise<void> {
    await button(day(name), `${name}: add interval`).click();
    const inputs = day(name).locator(".telephony-pair").last().locator("input");
    await inputs.first().fill(open);
    await inputs.last().fill(close);
    await editor.page.keyboard.press("Tab");
  }

  const editor = withEditor(() => {
    const node = { id: "create", type: "business-hour-create", scheduleName: "Office", daysType: "list", days: DAYS };
    return flowOf([node]);
  });

  it("leaves an unedited week exactly as it is @markup", async () => {
    await editor.reopen("create");
    assert.deepEqual(await days(), DAYS);
  });

  it("shows several openings of a day, and which days are closed @markup", async () => {
    await editor.edit("create");
    assert.deepEqual(await times("Monday"), ["08:00", "12:00", "13:00", "17:30"]);
    assert.match((await day("Sunday").textContent()) ?? "", /closed/);
    await editor.cancel();
  });

  it("offers a whole working day first, then one after the break, and takes openings away", async () => {
    await edit([]);
    await button(day("Tuesday"), "Tuesday: add interval").click();
    await button(day("Tuesday"), "Tuesday: add interval").click();
    await button(day("Tuesday"), "Tuesday: remove interval").first().click();
    await editor.done();
    assert.deepEqual(await days(), [{ day: "tue", open: "18:00", close: "19:00" }]);
  });

  it("reads times as people type them", async () => {
    await edit([]);
    await add("Monday", "8", "12.30");
    await add("Tuesday", "730", "17h15");
    await add("Wednesday", "9 am", "5:30pm");
    await add("Thursday", "12am", "12 PM");
    await add("Friday", "0800", "24:00");
    await add("Saturday", "8:00:00", "23:59");
    assert.deepEqual(await times("Wednesday"), ["09:00", "17:30"]);
    await editor.done();
    assert.deepEqual(await days(), [
      { day: "mon", open: "08:00", close: "12:30" },
      { day: "tue", open: "07:30", close: "17:15" },
      { day: "wed", open: "09:00", close: "17:30" },
      { day: "thu", open: "00:00", close: "12:00" },
      { day: "fri", open: "08:00", close: "23:59" },
      { day: "sat", open: "08:00", close: "23:59" },
    ]);
  });

  it("reads a time whose field still has the focus", async () => {
    await edit([{ day: "mon", open: "08:00", close: "12:00" }]);
    await day("Monday").locator("input").last().fill("13");
    await editor.page.evaluate("$('#node-dialog-ok').trigger('click')");
    await editor.page.waitForFunction("!document.querySelector('.red-ui-tray')");
    assert.deepEqual(await days(), [{ day: "mon", open: "08:00", close: "13:00" }]);
  });

  it("keeps a value that is not a time, reports it, and turns the node red", async () => {
    await edit([]);
    await add("Monday", "noon", "25:00");
    assert.match(await notes("Monday"), /Opens must be a time such as 08:00; it is "noon".*Closes .* "25:00"/);
    assert.equal(await day("Monday").locator("input.input-error").count(), 2);
    await editor.done();
    assert.deepEqual(await days(), [{ day: "mon", open: "noon", close: "25:00" }]);
    assert.match((await editor.problems("create")).join(), /^Wrong time: Opening hours, row 1: Opens must be a time/);
  });

  it("warns of overlaps, and shows hours that run into the next day", async () => {
    await edit([
      { day: "mon", open: "08:00", close: "14:00" },
      { day: "mon", open: "13:00", close: "17:00" },
      { day: "wed", open: "08:00", close: "12:00" },
      { day: "wed", open: "12:00", close: "17:00" },
      { day: "fri", open: "22:00", close: "06:00" },
      { day: "sat", open: "05:00", close: "23:59" },
      { day: "sun", open: "09:00", close: "09:00" },
    ]);
    const monday = await notes("Monday");
    assert.match(monday, /08:00–14:00 and 13:00–17:00 overlap/);
    assert.match(monday, /Sunday 09:00–09:00 and 08:00–14:00 overlap/);
    assert.equal(await notes("Wednesday"), "");
    assert.match(await notes("Friday"), /runs until 06:00 on Saturday/);
    const saturday = await notes("Saturday");
    assert.match(saturday, /Friday 22:00–06:00 and 05:00–23:59 overlap/);
    assert.match(saturday, /23:59 counts through midnight/);
    assert.match(await notes("Sunday"), /24 hours, until 09:00 on Monday/);
    await editor.cancel();
  });

  it("copies a day to others, by the keyboard too @markup", async () => {
    await edit([
      { day: "mon", open: "08:00", close: "17:00" },
      { day: "fri", open: "08:00", close: "12:00" },
    ]);
    await button(day("Monday"), "Monday: copy to other days").focus();
    await editor.page.keyboard.press("Enter");
    const boxes = day("Monday").locator(".telephony-copy input");
    const ticked = await Promise.all(
      (await boxes.all()).map(async (box) => ((await box.isDisabled()) ? "-" : (await box.isChecked()) ? "x" : " ")),
    );
    assert.equal(ticked.join(""), "-xxxx  ");
    await editor.page.keyboard.press("Space");
    for (let tab = 0; tab < 6; tab += 1) await editor.page.keyboard.press("Tab");
    await editor.page.keyboard.press("Enter");
    assert.equal(await day("Monday").locator(".telephony-copy").count(), 0);
    await editor.done();
    const open = (await days()) as { day: string; close: string }[];
    assert.deepEqual(
      open.map(({ day: name, close }) => `${name} ${close}`),
      ["mon 17:00", "wed 17:00", "thu 17:00", "fri 17:00"],
    );
  });

  it("changes nothing if copying is cancelled", async () => {
    const week = [{ day: "sat", open: "08:00", close: "12:00" }];
    await edit(week);
    await button(day("Saturday"), "Saturday: copy to other days").click();
    await editor.page.keyboard.press("Escape");
    assert.equal(await day("Saturday").locator(".telephony-copy").count(), 0);
    assert.equal(await editor.page.locator(".red-ui-tray").count(), 1);
    await editor.done();
    assert.deepEqual(await days(), week);
  });

  it("draws the week as it is typed, past midnight and from Sunday to Monday", async () => {
    await edit([{ day: "sun", open: "18:00", close: "06:00" }]);
    const picture = editor.page.locator(".telephony-picture");
    const bars = async () => {
      const lines = await picture.locator(".telephony-line-of-day").all();
      return Promise.all(lines.map(async (line) => percents(await line.innerHTML())));
    };
    const percents = (html: string) =>
      [...html.matchAll(/left: ([\d.]+)%; width: ([\d.]+)%/g)].map(([, left, width]) => `${left}+${width}`).join();
    assert.deepEqual(await bars(), ["0+25", "", "", "", "", "", "75+25"]);
    await day("Sunday").locator("input").last().fill("24");
    assert.deepEqual(await bars(), ["", "", "", "", "", "", "75+25"]);
    assert.match((await picture.getAttribute("aria-label")) ?? "", /Saturday: closed\nSunday: 18:00–23:59/);
    await editor.cancel();
  });

  it("reports what it cannot show", async () => {
    const week = [{ day: "monday", open: "08:00", close: "12:00" }];
    await edit(week);
    assert.match((await editor.page.locator("#telephony-days-list").textContent()) ?? "", /day is unknown: 1/);
    await editor.done();
    assert.deepEqual(await days(), week);
  });
});
