import assert from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { answered, ExampleStage, KNOWS, SECRET } from "../../support/process/example-stage";

describe("the example that reminds of appointments, in a real Node-RED", () => {
  const stage = new ExampleStage();
  const day = 86_400_000;
  /** Not read again: a test may run past midnight in Vietnam. */
  const now = Date.now();
  /** In so many days, at a time in Vietnam. */
  const inDays = (days: number, time: string) =>
    `${new Date(now + days * day + 7 * 3_600_000).toISOString().slice(0, 10)}T${time}:00+07:00`;
  const ada = (at: string) => ({ id: "A-17", name: "Ada", number: "0000000000", at });
  const ben = (at: string) => ({ id: "A-18", name: "Ben", number: "00000000000", at });
  const post = (what: string, body: unknown, headers = KNOWS) =>
    answered(stage.nodeRed.post(`/appointments/${what}`, body, headers));
  /** Waits until a row of the table is this. */
  const row = (name: string, outcome: string, code: string) =>
    eventually(() => {
      const table = stage.nodeRed.log.slice(stage.nodeRed.log.lastIndexOf("[debug:The table]"));
      const wanted = `name: '${name}',\\s+outcome: '${outcome}[^']*',\\s+number: '[^']*',\\s+code: '${code}'`;
      return new RegExp(wanted).test(table) || undefined;
    });

  beforeEach(() => stage.show("Remind of appointments", SECRET));

  it("reminds at nine of an early appointment, and not of one without a number", async () => {
    await post("booked", ada(inDays(3, "07:30")));
    await row("Ada", `planned for ${inDays(2, "09:00").slice(0, 16)}`, "");
    await post("booked", { ...ben(inDays(3, "10:00")), number: "" });
    await row("Ben", "not reminded", "ERR_INPUT");
    assert.deepEqual(await stage.calls(), []);
  });

  it("refuses what does not know the secret", async () => {
    for (const what of ["booked", "moved", "cancelled"])
      assert.equal((await post(what, ada(inDays(3, "10:00")), { "x-call-secret": "wrong" })).status, 401);
    await stage.show("Remind of appointments");
    assert.equal((await post("booked", ada(inDays(3, "10:00")))).status, 503);
  });
});
