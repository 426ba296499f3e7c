import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

describe("the examples that manage schedules, in a real Node-RED", () => {
  const stage = new ExampleStage();

  describe("Copy a schedule to another tenant", () => {
    beforeEach(() => stage.show("Copy a schedule to another tenant"));

    it("creates in the second tenant what it reads in the first, and shows the new id", async () => {
      const before = await stage.schedules(1);
      await stage.shows("Copy number 1", "newId: 3");
      const [office] = await stage.schedules(0);
      const [copy, ...others] = (await stage.schedules(1)).slice(before.length);
      assert.deepEqual(others, []);
      assert.deepEqual([copy?.id, copy?.name, copy?.days], [3, office?.name, office?.days]);
      assert.equal((await stage.schedules(0)).length, 2);
      assert.ok((await stage.asked(0)).every((request) => request.startsWith("GET ")));
    });

    it("shows what the second tenant has", () => stage.shows("What the second tenant has", "Support 24/7"));

    it("reports why it failed, and shows no id", async () => {
      const path = "/api/v1/setting/business-hour";
      await stage.injectFaults({ times: 1, status: 403, path: `${path}/1` });
      await stage.shows("Copy number 1", "ERR_AUTH");
      assert.ok(!(await stage.asked(1)).some((request) => request.startsWith("POST ")));
    });
  });

  describe("The same hours in every branch", () => {
    const [hanoi, hue, saigon] = [0, 1, 2];
    const office = async (branch: number) => (await stage.schedules(branch)).filter(({ name }) => name === "Office");
    const all = (action: string) => `Hanoi: ${action}, Hue: ${action}, Saigon: ${action}`;

    beforeEach(() => stage.show("The same hours in every branch"));

    it("shows first what would change, and only reads", async () => {
      await stage.shows("What would change?", all("replace"));
      for (const branch of [hanoi, hue, saigon]) {
        assert.ok((await stage.asked(branch)).every((request) => request.startsWith("GET ")));
        assert.deepEqual(
          (await office(branch)).map(({ id }) => id),
          [1],
        );
      }
    });

    it("makes the hours the same in every branch, and finds nothing to do after that", async () => {
      await stage.shows("Make it so", all("replace"));
      for (const branch of [hanoi, hue, saigon]) {
        const [schedule, ...others] = await office(branch);
        assert.deepEqual([schedule?.id, others], [3, []]);
        assert.deepEqual(schedule?.days.length, 6);
        assert.deepEqual(schedule.days[5], { day: "sat", open: "08:00:00", close: "12:00:00" });
        assert.equal((await stage.schedules(branch)).length, 2);
        const changes = (await stage.asked(branch)).filter((request) => !request.startsWith("GET "));
        assert.deepEqual(changes, [
          "POST /api/v1/setting/business-hour 200",
          "DELETE /api/v1/setting/business-hour/1 200",
        ]);
      }
      await stage.shows("What would change?", all("none"));
      await stage.shows("Make it so", all("none"));
    });

    it("creates a schedule that a branch lacks", async () => {
      await stage.shows("Make it so", all("replace"));
      await stage.shows("Hue deletes its hours", /\[debug:Deleted\]/);
      assert.deepEqual(await office(hue), []);
      await stage.shows("What would change?", "Hanoi: none, Hue: create, Saigon: none");
      await stage.shows("Make it so", "Hanoi: none, Hue: create, Saigon: none");
      assert.equal((await office(hue)).length, 1);
    });

    it("shows which branch failed, and does the others", async () => {
      await stage.injectFaults({ times: 9, status: 403 });
      await stage.shows("Make it so", "Hanoi: failed, Hue: replace, Saigon: replace");
      await stage.injectFaults({ times: 0 });
      await stage.shows("Make it so", "Hanoi: replace, Hue: none, Saigon: none");
    });
  });

  describe("Delete schedules by search, after asking", () => {
    const old = ["Old summer hours", "Old winter hours"];
    const names = async () => (await stage.schedules()).map(({ name }) => name).sort();

    beforeEach(async () => {
      await stage.show("Delete schedules by search, after asking");
      await stage.press("Make two old ones");
      await eventually(async () => (await stage.schedules()).length === 4 || undefined);
    });

    it("shows what a search finds, and after confirmation deletes exactly that", async () => {
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      assert.equal((await stage.schedules()).length, 4);
      // What is created after the question stays.
      await stage.press("Make two old ones");
      await eventually(async () => (await stage.schedules()).length === 6 || undefined);
      await stage.press("Yes, delete them");
      await eventually(async () => (await stage.schedules()).length === 4 || undefined);
      assert.deepEqual(await names(), ["Office", ...old, "Support 24/7"]);
      const deleted = (await stage.asked()).filter((request) => request.startsWith("DELETE "));
      assert.deepEqual(
        deleted,
        [3, 4].map((id) => `DELETE /api/v1/setting/business-hour/${id} 200`),
      );
    });

    it("deletes nothing without a question, and accepts one confirmation per question", async () => {
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.equal((await stage.schedules()).length, 4);
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      await stage.press("Yes, delete them");
      await eventually(async () => (await stage.schedules()).length === 2 || undefined);
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      await stage.shows("Ask: which are “Old”?", "Nothing is found");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      assert.deepEqual(await names(), ["Office", "Support 24/7"]);
    });

    it("forgets the last question when a new one fails, or has no term", async () => {
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      await stage.injectFaults({ times: 1, status: 403 });
      await stage.shows("Ask: which are “Old”?", "ERR_AUTH");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
      await stage.shows("Ask: which are “Old”?", "wouldDelete");
      const blank = {
        ...stage.shown.flows.find(({ id }) => id === stage.shown.id("Ask: which are “Old”?")),
        payload: "  ",
      };
      await stage.nodeRed.deploy(
        stage.shown.flows.map((node) => (node.id === blank.id ? (blank as FlowNode) : node)),
        "nodes",
      );
      await stage.shows("Ask: which are “Old”?", "without a term");
      await stage.shows("Yes, delete them", "Nothing was deleted: ask first");
    });
  });
});
