import { strict as assert } from "node:assert";
import { flowOf } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";
import { type CalendarServer, calendarServer, ics } from "../../support/calendars/server";

const YEAR = new Date().getFullYear() + 1;
const day = (date: string, name: string) => [`DTSTART;VALUE=DATE:${date}`, `SUMMARY:${name}`, "TRANSP:TRANSPARENT"];
const PAST = Array.from({ length: 11 }, (_, index) => day(`20${10 + index}0501`, "Labour Day"));
const HOLIDAYS = ics(...PAST, day(`${YEAR}0101`, "New Year"));
const WEEKDAY = new Date(Date.UTC(YEAR, 0, 1)).toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" });

describe("Holidays in the dialogs", () => {
  let server: CalendarServer;
  before(async () => {
    server = await calendarServer(HOLIDAYS);
  });
  after(() => server.stop());

  const editor = withEditor(flowOf([]), { width: 1500 });
  const says = (text: string | RegExp) => editor.shows("#telephony-exceptions-holidays", text);
  const address = () => `${server.url}/private/holidays.ics`;
  let gate: string;

  it("close a gate that has the address of a calendar, and are counted while it is typed", async () => {
    const { page } = editor;
    gate = await editor.drop("business-hour-gate");
    await editor.edit(gate);
    await editor.choose("#node-input-scheduleName", "str", "Support 24/7");
    const exceptions = page.locator("#telephony-exceptions + .red-ui-typedInput-container");
    await exceptions.locator(".red-ui-typedInput-type-select").click();
    await page.click('.red-ui-typedInput-options:visible a[value="url"]');
    await exceptions.locator("input").click();
    await page.keyboard.type(address());
    // In the first days of a year, the date has its year.
    await says(new RegExp(`12 holidays, next: New Year, ${WEEKDAY} 1 January( ${YEAR})? · fetched`));
    await editor.done();
    const { exceptions: value, exceptionsType: type } = await editor.deployed(gate);
    assert.deepEqual([value, type], [address(), "url"]);

    let asked = 0;
    page.on("request", (request) => {
      if (request.postData()?.includes('"what":"gate"')) asked += 1;
    });
    await editor.edit(gate);
    await says(/^12 holidays/);
    await editor.shows("#telephony-verdict", "until");
    assert.equal(asked, 1);
    await page.fill("#telephony-instant", `${YEAR}-01-01T10:00`);
    await editor.shows("#telephony-verdict", /: closed until .* · an exception: New Year · /);
    assert.match((await page.textContent("#telephony-exceptions-holidays")) ?? "", /^12 holidays/);
    await editor.cancel();
  });

  it("says so where there are none: a global that is misspelt, a web page", async () => {
    const { page } = editor;
    const choose = async (type: string, value: string) => {
      await page.evaluate(`$("#telephony-exceptions").typedInput("type", ${JSON.stringify(type)})`);
      await page.fill("#telephony-exceptions + .red-ui-typedInput-container input", value);
    };
    await editor.edit(gate);
    await choose("global", "misspelt");
    await says("No holidays known: the source is empty.");
    server.answers("<html><body>Sign in</body></html>");
    await choose("url", `${server.url}/page.ics`);
    await says(/Not a calendar: line 1 of Exceptions begins a web page/);
    await editor.cancel();
  });

  it("reach the verdict, too, if another field changes while the calendar is fetched", async () => {
    const { page } = editor;
    const held = new Promise<() => void>((resolve) =>
      server.answers((response) => resolve(() => void response.end(HOLIDAYS))),
    );
    await editor.edit(gate);
    await page.fill("#telephony-instant", `${YEAR}-01-01T10:00`);
    await page.fill("#telephony-exceptions + .red-ui-typedInput-container input", `${server.url}/slow.ics`);
    await says("Fetching the calendar…");
    const release = await held;
    const asked = page.waitForRequest((request) => request.postData()?.includes("Renamed") === true);
    await page.fill("#node-input-name", "Renamed");
    await asked;
    server.answers(HOLIDAYS);
    release();
    await editor.shows("#telephony-verdict", /an exception: New Year/);
    await editor.cancel();
  });

  it("of calling hours have the same choice", async () => {
    const { page } = editor;
    server.answers(HOLIDAYS);
    const tenant = String(await editor.property(gate, "tenant"));
    await editor.edit(tenant);
    await page.evaluate('$("#telephony-callingExceptions").closest("details").prop("open", true)');
    await page.evaluate('$("#telephony-callingExceptions").typedInput("type", "url")');
    await page.fill("#telephony-callingExceptions + .red-ui-typedInput-container input", address());
    await editor.shows("#telephony-callingExceptions-holidays", "12 holidays, next: New Year");
    await editor.done();
    const { callingExceptions, callingExceptionsType } = await editor.written(tenant);
    assert.deepEqual([callingExceptions, callingExceptionsType], [address(), "url"]);
  });
});
