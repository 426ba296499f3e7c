import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";
import type { FlowNode } from "../../support/process/node-red";

/** With a pause between two people that no test waits for in vain. */
const ringing = (ringFor: string, rounds: string) => (node: FlowNode) =>
  node.type === "call-escalate" ? { ...node, ringFor, rounds } : node;

describe("the example that wakes somebody, in a real Node-RED", () => {
  const stage = new ExampleStage();
  const name = "5 Wake somebody";
  const disk = { id: "disk-1", text: "The disk is full." };
  const post = (what: string, body: unknown, headers = {}) =>
    answered(stage.nodeRed.post(`/on-call/${what}`, body, headers));
  /** Who was greeted, in order. */
  const rung = async () =>
    (await stage.calls()).map(({ actions }) => /^Hello (\w+),/.exec(actions?.[0]?.text ?? "")?.[1]);

  it("rings one person after the other, and nobody after the acknowledgement", async () => {
    await stage.show(name, SECRET, ringing("1", "20"));
    const { status, json } = await post("alarm", disk, KNOWS);
    assert.deepEqual([status, json.accepted], [202, true]);
    await eventually(async () => (await stage.calls()).length >= 2 || undefined);
    assert.deepEqual((await rung()).slice(0, 2), ["Ada", "Ben"]);
    const [first] = await stage.calls();
    assert.equal(first?.actions?.[0]?.text, "Hello Ada, this is an alarm. The disk is full. Please acknowledge it.");
    const before = stage.nodeRed.log.length;
    const acknowledged = await post("acknowledge", { id: "disk-1", by: "Ben" }, KNOWS);
    assert.deepEqual([acknowledged.status, acknowledged.json.accepted], [202, true]);
    const ended = await eventually(
      () => /\[debug:How it ended\][^[]*acknowledgedBy: '(\w+)'/.exec(stage.nodeRed.log.slice(before)) ?? undefined,
    );
    assert.equal(ended[1], "Ben");
    assert.equal((await post("alarm", { ...disk, id: "disk-2" }, KNOWS)).status, 202);
    // The next alarm starts with the first person: the first escalation has ended.
    const count = await eventually(async () => (await rung()).lastIndexOf("Ada") || undefined);
    assert.ok(count >= 2);
  });

  it("changes nothing when an alarm is posted again while it rings", async () => {
    await stage.show(name, SECRET, ringing("3600", "1"));
    await post("alarm", disk, KNOWS);
    await eventually(async () => (await stage.calls()).length === 1 || undefined);
    assert.equal((await post("alarm", disk, KNOWS)).status, 202);
    await post("alarm", { ...disk, id: "disk-2" }, KNOWS);
    await eventually(async () => (await stage.calls()).length === 2 || undefined);
    assert.deepEqual(await rung(), ["Ada", "Ada"]);
  });

  it("says so when nobody acknowledges", async () => {
    await stage.show(name, SECRET, ringing("1", "1"));
    const before = stage.nodeRed.log.length;
    await post("alarm", disk, KNOWS);
    await eventually(() => stage.nodeRed.log.slice(before).includes("Nobody has acknowledged disk-1.") || undefined);
    assert.deepEqual(await rung(), ["Ada", "Ben", "Chi"]);
  });

  it("refuses a post without the secret or an id", async () => {
    await stage.show(name, SECRET);
    assert.equal((await post("alarm", disk)).status, 401);
    assert.equal((await post("acknowledge", { id: "disk-1" })).status, 401);
    assert.equal((await post("alarm", { text: "no id" }, KNOWS)).status, 400);
    assert.equal((await post("something", disk, KNOWS)).status, 400);
    await stage.show(name);
    assert.equal((await post("alarm", disk, { "x-call-secret": "" })).status, 503);
    assert.deepEqual(await stage.calls(), []);
  });
});
