import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { ExampleStage } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

describe("the examples that manage schedules, in a real Node-RED", function () {
  this.timeout(60_000);
  let stage: ExampleStage;

  before(async function () {
    this.timeout(120_000);
    stage = await ExampleStage.shared();
  });

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
