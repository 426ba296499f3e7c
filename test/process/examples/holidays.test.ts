import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

const NAME = "Holidays from a calendar";

describe("the example that fetches a holiday calendar, in a real Node-RED", () => {
  let stage: ExampleStage;

  before(async () => {
    stage = await ExampleStage.shared();
  });

  /** The example with another address of the calendar; its own is at the port of this Node-RED. */
  const fetching =
    (path: string) =>
    (node: FlowNode): FlowNode => {
      if (node.type !== "tab") return node;
      const [variable] = node["env"] as { name: string; value: string; type: string }[];
      assert.equal(variable?.name, "HOLIDAY_CALENDAR_URL");
      assert.equal(new URL(variable.value).pathname, "/example-holidays.ics");
      return { ...node, env: [{ ...variable, value: stage.nodeRed.url + path }] };
    };

  /** Deploys it, and waits until it has fetched at start. */
  async function start(path: string, shows: RegExp): Promise<void> {
    const before = stage.nodeRed.log.length;
    await stage.show(NAME, undefined, fetching(path));
    await eventually(() => shows.test(stage.nodeRed.log.slice(before)) || undefined);
  }

  it("fetches it at start; then the gate is closed on holidays and in meetings only", async () => {
    await start("/example-holidays.ics", /The calendar is kept: 3 events\./);
    await stage.shows(
      "Try it on New Year's Day",
      "We are closed for New Year's Day and open again on Friday, 2 January",
    );
    await stage.shows("Try it in the monthly meeting", /for the monthly meeting\..* open again today at 10:00\./);
    await stage.shows("Try it on another day", "We are open until 12:00.");
  });

  it("keeps the last one if none comes, if it is no calendar, and if it is truncated", async () => {
    await start("/example-holidays.ics", /The calendar is kept/);
    for (const path of ["/nothing-here", "/settings"]) {
      await start(path, /No calendar came, so the last one is used/);
      await stage.shows("Try it on New Year's Day", "We are closed for New Year's Day");
    }
    const before = stage.nodeRed.log.length;
    const whole = fetching("/example-holidays.ics");
    await stage.show(NAME, undefined, (node) => {
      if (node.type !== "template") return whole(node);
      return { ...node, template: String(node["template"]).slice(0, 300) };
    });
    await eventually(
      () => /the response is not a calendar, or only a part/.test(stage.nodeRed.log.slice(before)) || undefined,
    );
    await stage.shows("Try it on New Year's Day", "We are closed for New Year's Day");
  });
});
