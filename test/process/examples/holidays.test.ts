import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import { example } from "../../support/process/examples";
import type { FlowNode } from "../../support/process/node-red";

const NAME = "Holidays from a calendar";

describe("the example that fetches a holiday calendar, in a real Node-RED", () => {
  let stage: ExampleStage;

  let calendars: Server;
  /** What the server of calendars answers, instead of the calendar of the example. */
  let answer: string | undefined;

  before(async () => {
    stage = await ExampleStage.shared();
    const ofExample = String(example(NAME).find(({ type }) => type === "template")?.["template"]);
    calendars = createServer((_request, response) => response.end(answer ?? ofExample));
    await new Promise<void>((resolve) => calendars.listen(0, "127.0.0.1", resolve));
  });
  after(() => calendars.close());

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

  const ofServer = () => `http://127.0.0.1:${(calendars.address() as AddressInfo).port}/holidays.ics`;

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
    answer = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\n";
    await start(ofServer(), /the response is not a calendar, or only a part/);
    await stage.shows("Try it on New Year's Day", "We are closed for New Year's Day");
  });
});
