import { strict as assert } from "node:assert";
import { Hand, middleOf } from "../../support/browser/hand";
import { withEditor } from "../../support/browser/with-editor";
import { type CalendarServer, calendarServer, ics } from "../../support/calendars/server";

/** Upper bound of the story: how often the mouse button goes down. */
const PRESSES = 15;

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

  const editor = withEditor([{ id: "a-tab", type: "tab", label: "Empty" }], { width: 1500 });
  const line = (property = "exceptions") => editor.page.locator(`#telephony-${property}-holidays`);
  const says = (text: string | RegExp) => line().filter({ hasText: text }).waitFor();
  const ids = (): Promise<string[]> =>
    editor.page.evaluate("RED.nodes.filterNodes({ z: 'a-tab' }).map(({ id }) => id)");

  it(`a gate is closed on the holidays of a calendar after at most ${PRESSES} presses`, async () => {
    const { page } = editor;
    const hand = await Hand.on(page);
    const place = async (type: string, x: number, y: number): Promise<string> => {
      const before = await ids();
      const canvas = await page.locator("#red-ui-workspace-chart").boundingBox();
      assert.ok(canvas);
      const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
      await hand.drag(await middleOf(entry), [canvas.x + x, canvas.y + y]);
      return (await ids()).find((id) => !before.includes(id)) ?? "";
    };
    const inject = await place("inject", 150, 100);
    const gate = await place("business-hour-gate", 360, 100);
    const port = (id: string, kind: string) => page.locator(`[id="${id}"] .red-ui-flow-port-${kind}`).first();
    await hand.drag(await middleOf(port(inject, "output")), await middleOf(port(gate, "input")));
    await hand.doubleClick(page.locator(`[id="${gate}"] .red-ui-flow-node`));
    await page.locator("#node-dialog-ok").waitFor();
    await editor.settled();
    await hand.click(page.locator("#node-input-btn-tenant-add"));
    await page.locator("#node-config-dialog-ok").waitFor();
    await editor.settled();
    await hand.click(page.locator("#node-config-dialog-ok"));
    await page.locator("#node-config-dialog-ok").waitFor({ state: "detached" });
    await editor.settled();
    await hand.click(page.locator("#node-input-scheduleName + .red-ui-typedInput-container input"));
    await hand.type("Support 24/7");
    const exceptions = page.locator("#telephony-exceptions + .red-ui-typedInput-container");
    await hand.click(exceptions.locator(".red-ui-typedInput-type-select"));
    await hand.click(page.locator('.red-ui-typedInput-options:visible a[value="url"]'));
    await hand.click(exceptions.locator("input"));
    await hand.type(`${server.url}/private/holidays.ics`);
    await says(`12 holidays, next: New Year, ${WEEKDAY} 1 January · fetched`);
    await hand.click(page.locator("#node-dialog-ok"));
    await page.waitForFunction("!document.querySelector('.red-ui-tray')");
    await hand.click(page.locator("#red-ui-header-button-deploy"));
    await page.waitForFunction("!RED.nodes.dirty()");
    const presses = await hand.clicks();
    assert.ok(presses <= PRESSES, `${presses} presses`);
    const { exceptions: value, exceptionsType: type } = await editor.written(gate);
    assert.deepEqual([value, type], [`${server.url}/private/holidays.ics`, "url"]);

    await editor.edit(gate);
    await page.fill("#telephony-instant", `${YEAR}-01-01T10:00`);
    await page
      .locator("#telephony-verdict")
      .filter({ hasText: /: closed until .* · an exception: New Year · / })
      .waitFor();
    assert.match((await line().textContent()) ?? "", /^12 holidays/);
    await editor.cancel();
  });

  it("says so where there are none: a global that is misspelt, a server without them, a web page", async () => {
    const { page } = editor;
    const gate = (await ids()).at(-1) ?? "";
    const choose = async (type: string, value: string) => {
      await page.evaluate(`$("#telephony-exceptions").typedInput("type", ${JSON.stringify(type)})`);
      await page.fill("#telephony-exceptions + .red-ui-typedInput-container input", value);
    };
    await editor.edit(gate);
    await choose("global", "misspelt");
    await says("No holidays known: nothing is there.");
    await choose("msg", "holidays");
    await says("The holidays come with each message.");
    server.answers((response) => response.writeHead(404).end());
    await choose("url", `${server.url}/gone.ics`);
    await says("No holidays known: HTTP 404.");
    server.answers("<html><body>Sign in</body></html>");
    await choose("url", `${server.url}/page.ics`);
    await says(/Not a calendar: line 1 of .* begins a web page/);
    await choose("url", "http://example.com/a.ics");
    await page.locator("#telephony-exceptions-problem").filter({ hasText: "https://" }).waitFor();
    await editor.cancel();
  });

  it("of calling hours have the same choice", async () => {
    const { page } = editor;
    server.answers(HOLIDAYS);
    const tenant: string = await page.evaluate(
      "(() => { let id; RED.nodes.eachConfig((node) => { id = node.id; }); return id; })()",
    );
    await editor.edit(tenant);
    await page.evaluate('$("#telephony-callingExceptions").closest("details").prop("open", true)');
    await page.evaluate('$("#telephony-callingExceptions").typedInput("type", "url")');
    await page.fill(
      "#telephony-callingExceptions + .red-ui-typedInput-container input",
      `${server.url}/private/holidays.ics`,
    );
    await line("callingExceptions").filter({ hasText: "12 holidays, next: New Year" }).waitFor();
    await editor.done();
    const { callingExceptions, callingExceptionsType } = await editor.written(tenant);
    assert.deepEqual([callingExceptions, callingExceptionsType], [`${server.url}/private/holidays.ics`, "url"]);
  });
});
