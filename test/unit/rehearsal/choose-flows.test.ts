import assert from "node:assert/strict";
import type { FlowNode } from "../../../src/workshop/lint/flow-node";
import { chooseFlows } from "../../../src/workshop/rehearsal/choose-flows";
import { prepare } from "../../../src/workshop/rehearsal/prepare";
import { CannotRehearse } from "../../../src/workshop/rehearsal/world";

const tab = (id: string, more: object = {}): FlowNode => ({ id, type: "tab", label: id.toUpperCase(), ...more });
const node = (id: string, z: string, more: object = {}, ...to: string[]): FlowNode => ({
  ...{ id, type: "function", z, x: 1, y: 1, wires: [to] },
  ...more,
});
const config = (id: string, more: object = {}): FlowNode => ({ id, type: "a-config", ...more });

/** The ids of what is chosen besides the tab `a`, in the order of the file. */
const chosen = (...flows: FlowNode[]) =>
  chooseFlows([tab("a"), ...flows], ["a"])
    .flows.map(({ id }) => id)
    .slice(1);

describe("the flows that are rehearsed", () => {
  it("are all by default", () => {
    const flows = [tab("a"), tab("b"), config("unused")];
    assert.deepEqual(chooseFlows(flows).flows, flows);
    assert.deepEqual(chooseFlows(flows, []).flows, flows);
  });

  it("are a tab by name or id, with the config nodes that are used, and those that they use", () => {
    const flows = [
      ...[
        node("n", "a", { tenant: "t" }),
        node("m", "a", { env: [{ value: "deep" }] }),
        node("o", "b", { tenant: "u" }),
      ],
      ...[config("t", { zone: "z" }), config("u"), config("z"), config("deep"), tab("b")],
      { id: "global", type: "global-config" },
    ];
    assert.deepEqual(chosen(...flows), ["n", "m", "t", "z", "deep", "global"]);
    assert.deepEqual(
      chooseFlows([tab("a"), ...flows], ["B"]).flows.map(({ id }) => id),
      ["o", "u", "tab", "global"].map((id) => (id === "tab" ? "b" : id)),
    );
  });

  it("go on behind Link Out and Link Call, whichever end names the other, and not back", () => {
    const flows = [
      node("out", "a", { type: "link out", links: ["in"] }),
      node("call", "a", { type: "link call", links: ["sub"] }),
      tab("b"),
      ...[node("in", "b", { type: "link in", links: [] }, "next"), node("next", "b"), node("before", "b", {}, "next")],
      ...[node("sub", "b", { type: "link in" }, "return"), node("return", "b", { type: "link out", mode: "return" })],
      ...[
        node("named", "b", { type: "link in", links: ["out"] }),
        node("other", "b", { type: "link in", links: ["else"] }),
      ],
    ];
    assert.deepEqual(chosen(...flows), ["out", "call", "b", "in", "next", "sub", "return", "named"]);
  });

  it("have every Link In node, and a note, if a message says which is called", () => {
    const call = node("call", "a", { type: "link call", linkType: "dynamic", links: [] });
    const flows = [
      tab("a"),
      call,
      tab("b"),
      node("in", "b", { type: "link in" }, "next"),
      node("next", "b"),
      node("o", "b"),
    ];
    const { flows: found, notes } = chooseFlows(flows, ["a"]);
    assert.deepEqual(
      found.map(({ id }) => id),
      ["a", "call", "b", "in", "next"],
    );
    assert.match(notes.join(), /all Link In nodes/);
    assert.deepEqual(chooseFlows(flows, ["b"]).notes, []);
  });

  it("have subflows whole, and those in them", () => {
    const flows = [
      node("instance", "a", { type: "subflow:s" }),
      ...[{ id: "s", type: "subflow" }, node("inner", "s", { type: "subflow:t", tenant: "c" })],
      ...[{ id: "t", type: "subflow" }, node("innermost", "t"), { id: "v", type: "subflow" }, node("unused", "v")],
      config("c"),
    ];
    assert.deepEqual(chosen(...flows), ["instance", "s", "inner", "t", "innermost", "c"]);
  });

  it("have the nodes that observe one of them: in its tab, its groups, or by name", () => {
    const flows = [
      node("out", "a", { type: "link out", links: ["in"] }),
      tab("b"),
      ...[
        { id: "g", type: "group", z: "b" },
        { id: "h", type: "group", z: "b", g: "g" },
        { id: "k", type: "group", z: "b" },
      ],
      ...[node("in", "b", { type: "link in", g: "h" }), node("aside", "b")],
      ...[
        node("catch", "b", { type: "catch", scope: null }, "caught"),
        node("caught", "b", {}, "end"),
        node("end", "b"),
      ],
      ...[
        node("group", "b", { type: "status", scope: "group", g: "g" }),
        node("elsewhere", "b", { type: "catch", scope: "group", g: "k" }),
      ],
      ...[
        node("named", "b", { type: "complete", scope: ["end"] }),
        node("unnamed", "b", { type: "catch", scope: ["aside"] }),
      ],
      ...[tab("c"), node("far", "c"), node("farCatch", "c", { type: "catch", scope: null })],
    ];
    assert.deepEqual(chosen(...flows), ["out", "b", "g", "h", "in", "catch", "caught", "end", "group", "named"]);
  });

  it("do not go on behind what is disabled", () => {
    const flows = [
      node("off", "a", { d: true, type: "link out", links: ["in"] }),
      node("out", "a", { type: "link out", links: ["still"] }),
      ...[tab("b"), node("in", "b", { type: "link in" })],
      ...[tab("c", { disabled: true }), node("still", "c", { type: "link in" }, "behind"), node("behind", "c")],
    ];
    assert.deepEqual(chosen(...flows), ["off", "out", "c", "still"]);
  });

  it("are none that no tab is called, or two", () => {
    const flows = [tab("a"), tab("b", { label: "Same" }), tab("c", { label: "Same" }), node("n", "a", { name: "N" })];
    const isRefused = (given: string, sentence: RegExp) =>
      assert.throws(
        () => chooseFlows(flows, [given]),
        (error: Error) => error instanceof CannotRehearse && sentence.test(error.message),
      );
    isRefused("N", /^No flow has the id or the name "N"/);
    isRefused("Same", /^2 flows are named "Same".*\(b, c\)\.$/);
    assert.equal(chooseFlows(flows, ["b"]).flows.length, 1);
  });

  describe("with inputs", () => {
    const flows = [
      ...[tab("a"), node("n", "a", { type: "inject", name: "Go" }), node("h", "a", { type: "http in", url: "/shop" })],
      ...[tab("b"), node("m", "b", { type: "inject", name: "Go" }), node("o", "b", { type: "inject", name: "Off" })],
      node("w", "b", { type: "telephony-webhook", path: "orders" }),
    ];
    const plan = async (input: object) =>
      (await prepare({ flows, tabs: ["b"], from: "2026-12-01", world: { inputs: [{ at: "+1m", ...input } as never] } }))
        .plan;

    it("take a name that is unique in them", async () =>
      assert.equal((await plan({ inject: "Go" })).inputs[0]?.target, "m"));

    it("refuse one at a node outside of them", async () => {
      for (const input of [{ inject: "n" }, { node: "h", msg: {} }, { post: "/Shop/?a=1" }])
        await assert.rejects(plan(input), /not rehearsed: choose it, too/);
      for (const post of ["/orders", "/nobody"]) await plan({ post });
    });
  });
});
