import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { eventually } from "../../support/process/eventually";
import { numbersOf } from "../../support/process/list-flow";
import { at } from "../../support/process/node-red";
import { BY_SECRET, SAYS, type Told, WebhookStage } from "../../support/process/webhook-stage";

const only = ({ status, body }: Told): Readonly<Record<string, unknown>> => ({ status, ...body });
const TO_COLUMN = { toNumber: "payload.Phone", toNumberType: "msg" };
const ACCEPTED = { status: 202, accepted: true, waitsFor: "list" };

/** docs/contract/list.md, "Behind a webhook". */
describe("A list behind a webhook", () => {
  let stage: WebhookStage;
  const post = (body: unknown, key?: string) =>
    stage.send(body, { ...BY_SECRET, ...(key && { "idempotency-key": key }) });
  const node = { tenant: "tenant", ...SAYS, begin: "good" };
  /** @param expression makes of a request what the list gets */
  const deploy = (expression = "payload", tenant = {}) =>
    stage.deploy(
      { wires: [["stop"]] },
      {},
      [
        at(
          "stop",
          "change",
          { rules: [{ t: "set", p: "stop", pt: "msg", to: "$lookup(payload, 'stop')", tot: "jsonata" }] },
          ["list"],
        ),
        at("list", "call-list", { ...node, list: expression, listType: "msg" }, [], []),
        at("caught", "catch", { scope: ["list"] }, ["seen"]),
      ],
      tenant,
    );

  before(async () => {
    stage = await WebhookStage.start();
  });
  beforeEach(() => stage.tenant.reset());
  after(() => stage?.end());

  it("is accepted with what was found, or refused as a whole, and called once for each id of a request", async () => {
    await deploy("payload.rows");
    const rows = [...numbersOf(3), { number: "x" }];
    deepStrictEqual(only(await post({ rows }, "one")), { ...ACCEPTED, total: 4, good: 3 });
    await eventually(() => stage.rung.length === 3 || undefined);
    deepStrictEqual(only(await post({ rows }, "one")), { ...ACCEPTED, total: 4, good: 3, repeated: true });
    const [failed] = await eventually(async () => {
      const seen = await stage.seen();
      return seen.length > 0 ? seen : undefined;
    });
    const error = failed?.["error"] as
      | { readonly code: string; readonly cause: { readonly first?: object } }
      | undefined;
    strictEqual(error?.code, "ERR_DUPLICATE");
    ok(error.cause.first);
    const { message, ...refused } = only(await post({ rows: 7 }));
    deepStrictEqual(refused, {
      status: 400,
      accepted: false,
      code: "ERR_INPUT",
      outcome: "not-applied",
      field: "rows",
    });
    match(String(message), /\S/);
    strictEqual(stage.rung.length, 3);
  });

  it("waits behind the one that runs, ten at most, until a message stops them all", async () => {
    await deploy("payload.rows", { concurrency: "1" });
    const release = stage.tenant.hold();
    deepStrictEqual(only(await post({ rows: numbersOf(3, 9000) })), { ...ACCEPTED, total: 3, good: 3 });
    await eventually(() => stage.rung.length === 1 || undefined);
    for (let n = 1; n <= 10; n += 1)
      deepStrictEqual(only(await post({ rows: numbersOf(2, 100 * n) })), { ...ACCEPTED, total: 2 });
    const { status, body } = await post({ rows: numbersOf(2, 5000) });
    deepStrictEqual([status, body["code"]], [503, "ERR_BACKLOG_FULL"]);
    deepStrictEqual(only(await post({ stop: true })), { status: 200, accepted: true, stopped: 22 });
    release();
    strictEqual(stage.rung.length, 1);
  });

  it("is looked at in the dialog of a node that stands in a subflow, as its first running instance would", async () => {
    await stage.deploy({}, {}, [
      { id: "campaign", type: "subflow", name: "Campaign", in: [], out: [] },
      { ...at("inner", "call-list", { ...node, ...TO_COLUMN }, [], []), z: "campaign" },
      at("instance", "subflow:campaign", {}),
    ]);
    const { url } = stage.nodeRed;
    const body = "Phone,x\n0900000001\n0900000002\n,x\n0900000001\n";
    const headers = { "content-type": "application/octet-stream", origin: url };
    const answer = await fetch(`${url}/telephony/list/inner/look`, { method: "POST", body, headers });
    const { ok: isRead, total, good, wrong } = (await answer.json()) as Record<string, unknown>;
    deepStrictEqual([answer.status, isRead, total, good], [200, true, 4, 2]);
    deepStrictEqual(wrong, [{ key: "webhook.input.missing", field: "Phone" }, null]);
  });
});
