import assert from "node:assert/strict";
import { type CalendarServer, calendarServer } from "../../support/calendars/server";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import { example } from "../../support/process/examples";
import type { FlowNode } from "../../support/process/node-red";

const NAME = "Holidays from a calendar";

describe("the example that fetches a holiday calendar, in a real Node-RED", () => {
  const stage = new ExampleStage();

  const ofExample = String(example(NAME).find(({ type }) => type === "template")?.["template"]);
  let calendars: CalendarServer;

  before(async () => {
    calendars = await calendarServer(ofExample);
  });
  after(() => calendars?.stop());

  /** The example with an address. */
  const fetching =
    (address: string) =>
    (node: FlowNode): FlowNode => {
      if (node.type !== "tab") return node;
      const [variable] = node["env"] as { name: string; value: string; type: string }[];
      assert.equal(variable?.name, "HOLIDAY_CALENDAR_URL");
      assert.equal(variable.value, "");
      return { ...node, env: [{ ...variable, value: address }] };
    };

  /** Deploys it, and waits until it has a calendar, or knows that none comes. */
  async function start(address: string, shows: RegExp): Promise<void> {
    const before = stage.nodeRed.log.length;
    await stage.show(NAME, undefined, fetching(address));
    await eventually(() => shows.test(stage.nodeRed.log.slice(before)) || undefined);
  }

  const ofServer = () => `${calendars.url}/holidays.ics`;

  for (const [from, address] of [
    ["the calendar of the example, where no address is entered", () => ""],
    ["a calendar that it fetches at start", ofServer],
  ] as const)
    it(`is closed on the holidays and in the meetings of ${from}`, async () => {
      await start(address(), /The calendar is kept: 3 events\./);
      await stage.shows(
        "Try it on New Year's Day",
        "We are closed for New Year's Day and open again on Friday, 2 January",
      );
      await stage.shows("Try it in the monthly meeting", /for the monthly meeting\..* open again today at 10:00\./);
      await stage.shows("Try it on another day", "We are open until 12:00.");
    });

  it("keeps the last one if none comes, if it is no calendar, and if it is truncated", async () => {
    await start("", /The calendar is kept/);
    for (const path of ["/nothing-here", "/settings"]) {
      await start(stage.nodeRed.url + path, /No calendar came, so the last one is used/);
      await stage.shows("Try it on New Year's Day", "We are closed for New Year's Day");
    }
    calendars.answers("BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n");
    await start(ofServer(), /the response is not a calendar, or only a part/);
    await stage.shows("Try it on New Year's Day", "We are closed for New Year's Day");
  });
});
