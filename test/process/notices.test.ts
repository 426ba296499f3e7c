import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const PLACE = { z: "tab", x: 100, y: 100 };

/** POST /call places a call and answers with the request that was sent, also where the sandbox refuses it. */
const FLOW: FlowNode[] = [
  { id: "tab", type: "tab", label: "Notices" },
  { id: "tenant", type: "telephony-tenant", mode: "sandbox", fromNumber: "0000000000" },
  { ...PLACE, id: "in", type: "http in", method: "post", url: "/call", wires: [["out"]] },
  { ...PLACE, id: "out", type: "call-out", tenant: "tenant", wires: [["sent"]] },
  {
    ...PLACE,
    id: "sent",
    type: "change",
    rules: [
      { t: "set", p: "payload", pt: "msg", to: "error ? error.cause.request : telephony.request", tot: "jsonata" },
    ],
    wires: [["answer"]],
  },
  { ...PLACE, id: "refused", type: "catch", scope: ["out"], wires: [["sent"]] },
  { ...PLACE, id: "answer", type: "http response", wires: [] },
];

describe("a value that is sent as it is, but may be a mistake", () => {
  let nodeRed: NodeRed;
  const call = async (number: unknown, voice?: string) => {
    const payload = { to: { number }, actions: [{ action: "talk", text: "Hello", voice }] };
    return (await (await nodeRed.post("/call", payload)).json()) as Record<string, unknown>;
  };
  const lines = (word: string) =>
    nodeRed.log.split("\n").filter((line) => line.includes(":out]") && line.includes(word));

  before(async () => {
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy(FLOW);
  });
  after(() => nodeRed?.kill());

  it("is a number that may have lost its zero: one warning for the field, without the number", async () => {
    for (const number of ["0901234567", "901234567", 84901234567, 101])
      assert.equal((await call(number))["to.number"], String(number));
    for (const number of [901234567, 908765432]) assert.equal((await call(number))["to.number"], String(number));
    const line = await eventually(() => lines("zero")[0]);
    assert.match(line, /\[warn\].*\(to\.number\) is the number ••••••567.*send the number as text/);
    await call("0000000000", "first");
    await eventually(() => lines("first")[0]);
    assert.equal(lines("zero").length, 1);
  });

  it("is a voice that the interface does not list: one warning for the voice", async () => {
    for (const voice of ["robot", "robot", "female", "last"]) {
      const [action] = (await call("0000000000", voice))["actions"] as { voice: string }[];
      assert.equal(action?.voice, voice);
    }
    await eventually(() => lines('"last"')[0]);
    assert.match(
      lines('"robot"').join("\n"),
      /^[^\n]*\[warn\][^\n]*does not list the voice "robot" \([^\n]*\(actions\[0\]\.voice\)\)[^\n]*$/,
    );
    assert.equal(lines("female").length, 0);
  });
});
