import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import { example } from "../../support/process/examples";
import type { FlowNode } from "../../support/process/node-red";

/** With another rate than the example's own. */
const paced = (rate: string) => (node: FlowNode) => (node.type === "telephony-tenant" ? { ...node, rate } : node);

/** What the table's Debug node prints. */
const TABLE = /\[debug:The table\].*\r\n/s;

describe("the examples that call a list, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("Call a list from a CSV file", () => {
    const name = "Call a list from a CSV file";
    const has = (printed: string, rows: readonly string[]) => {
      for (const row of rows) assert.ok(printed.includes(`${row}\r\n`), `"${row}" is not in ${printed}`);
    };

    it("calls every number exactly as it is in the file, and ends with a table", async () => {
      await stage.show(name);
      const printed = await stage.shows("Call the list", TABLE);
      assert.deepEqual(
        (await stage.calls()).map(({ to }) => to),
        [
          { type: "external", number: "0000000000", alias: "Ada" },
          { type: "external", number: "+0000000000", alias: "Ben" },
          { type: "external", number: "0000000000", alias: "Dan, who has a comma" },
        ],
      );
      has(printed, [
        "name,number,result,code",
        "Ada,0000000000,accepted,",
        "Ben,+0000000000,accepted,",
        "Chi,,failed,ERR_INPUT",
        '"Dan, who has a comma",0000000000,accepted,',
      ]);
      assert.match(printed, /1 of 4: 0 accepted, 1 failed, 0 unknown/);
      assert.match(printed, /4 of 4: 3 accepted, 1 failed, 0 unknown/);
    });

    it("distinguishes an unknown outcome from a failed call", async () => {
      await stage.show(name, undefined, paced("50"));
      await stage.injectFaults({ times: 1, status: 503, path: "/api/v1/call/call-out" });
      const printed = await stage.shows("Call the list", TABLE);
      has(printed, ["Ada,0000000000,unknown,ERR_SERVER", "Ben,+0000000000,accepted,"]);
      assert.match(printed, /4 of 4: 2 accepted, 1 failed, 1 unknown/);
      assert.equal((await stage.calls()).length, 2);
    });

    it("stops on request, and calls no number twice while a list is running", async () => {
      await stage.show(name, undefined, paced("0.01"));
      await stage.shows("Call the list", /2 of 4: 1 accepted, 1 failed/);
      await stage.shows("Call the list", "Nobody was called: the last list is still under way");
      has(await stage.shows("Show the table now", TABLE), ["Ben,+0000000000,waiting,"]);
      has(await stage.shows("Call nobody else", TABLE), [
        "Ada,0000000000,accepted,",
        "Ben,+0000000000,failed,ERR_DROPPED",
        '"Dan, who has a comma",0000000000,failed,ERR_DROPPED',
      ]);
      assert.equal((await stage.calls()).length, 1);
      await stage.shows("Call the list", /1 of 4: 0 accepted, 1 failed/);
    });

    it("shows a table without rows before the first list", async () => {
      await stage.show(name);
      const printed = await stage.shows("Show the table now", TABLE);
      assert.doesNotMatch(printed, /error/i);
    });
  });

  describe("Campaign on several machines", () => {
    const name = "Campaign on several machines";

    it("separates calls whose outcome is unknown from those that were not placed", async () => {
      await stage.show(name, undefined, paced("100"));
      await stage.injectFaults({ times: 1, status: 503, path: "/api/v1/call/call-out" });
      await stage.shows("Call ten customers", /\[debug:Check before you call again\].*ERR_SERVER/s);
      await eventually(async () => (await stage.calls()).length === 9 || undefined);
    });

    it("is prepared for Redis, but for its address", async () => {
      const tenant = example(name).find(({ type }) => type === "telephony-tenant");
      assert.deepEqual([tenant?.["mode"], tenant?.["engine"], tenant?.["group"]], ["sandbox", "redis", "campaign"]);
    });
  });
});
