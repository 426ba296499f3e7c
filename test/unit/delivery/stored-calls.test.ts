import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import type { NodeAPI, NodeMessage } from "node-red";
import { Backlog } from "../../../src/backlog";
import { FileStore } from "../../../src/backlog/file/file-store";
import { type Job, type Lanes, listWaiting, TenantClient } from "../../../src/client";
import { flows } from "../../../src/runtime/delivery/flow-lifecycle";
import { Mailbox } from "../../../src/runtime/delivery/mailbox";
import { Pending } from "../../../src/runtime/delivery/pending";
import { Progress } from "../../../src/runtime/delivery/progress";
import type { StatusLine } from "../../../src/runtime/node-red/status";
import { putClockAhead } from "../../support/clocks";
import { temporaryFolder } from "../../support/process/user-folder";
import { until } from "../../support/until";
import { withServer } from "../client/stage";
import { callOut, close, optionsFor } from "../client/subject";

const HOUR = 3_600_000;
const events = new EventEmitter();
const RED = { events, log: { warn() {} } } as unknown as NodeAPI;

const originals: NodeMessage[] = [];

/** docs/contract/restarts.md: what a file has is not kept in memory, too. */
describe("a message whose call-out waits in a file", () => {
  const held = withServer();
  let client: TenantClient;
  const copies: NodeMessage[] = [];
  const node = { type: "call-out", receive: (message: NodeMessage) => void copies.push(message) };

  before(() => {
    flows.follow(RED);
    Mailbox.of(RED, "node").attach(node);
    events.emit("flows:started", {});
  });
  after(() => Mailbox.of(RED, "node").detach(node));
  beforeEach(async () => {
    const { store } = await FileStore.open(join(temporaryFolder(), "a.journal"));
    client = new TenantClient(optionsFor(held.server.url), new Backlog(store));
    copies.splice(0);
    originals.splice(0);
    await client.opened;
  });
  afterEach(() => close(client));

  const send = (job: Job, more: object = {}) => {
    const answer = (message: NodeMessage) => void originals.push(message);
    const respond = { answer, send() {}, done() {} };
    const pending = new Pending({ _msgid: job.id, ...more } as NodeMessage, "call-out", "live", node, respond);
    Mailbox.of(RED, "node").track(pending);
    Progress.of(RED, "node").start(client, job, pending);
  };

  it("is only there if the file has all of it, and comes back as a copy with the result", async () => {
    const notBefore = Date.now() + HOUR;
    send(callOut("1", { notBefore }), { payload: { a: 1 } });
    send(callOut("2", { notBefore }), { payload: Buffer.from("no JSON") });
    await until(() => client.lanes.dated === 2);
    putClockAhead(HOUR);
    await until(() => copies.length + originals.length === 2);
    assert.deepEqual(copies, [{ _msgid: "1", payload: { a: 1 } }]);
    assert.deepEqual([Mailbox.takeResult(copies[0] as NodeMessage)?.ok, originals.length], [true, 1]);
    assert.equal(held.server.ledger.requests.length, 2);
  });

  it("is listed with key and number, and ends with its copy when it is called off", async () => {
    send(callOut("0912345678", { notBefore: Date.now() + HOUR, deduplication: { key: "a", forMs: HOUR } }));
    await until(() => client.lanes.dated === 1);
    const [call] = await listWaiting(client, { limit: 10, offset: 0 });
    assert.deepEqual([call?.key, call?.number, call?.waitsFor], ["a", "0912345678", "date"]);
    assert.deepEqual(await client.end({ key: "a" }), { cancelled: 1, tooLate: 0 });
    await until(() => copies.length > 0);
    const result = Mailbox.takeResult(copies[0] as NodeMessage);
    assert.equal(result?.ok === false && result.error.code, "ERR_CANCELLED");
  });

  it("is shown while trouble holds it after a start", () => {
    const shown: string[] = [];
    const status = { rest: () => shown.push("rest"), waiting: () => shown.push("waiting") } as unknown as StatusLine;
    const lanes = (reason?: string) => ({ lanes: { restored: 2, dated: 0, heldBack: 0, reason } as Lanes });
    const progress = Progress.of(RED, "restored");
    for (const reason of ["ERR_AUTH", undefined]) {
      progress.showOn(status, lanes(reason));
      progress.holdChanged();
    }
    progress.leave(status);
    assert.deepEqual(shown, ["waiting", "rest"]);
  });

  it("stays in memory if it begins at once", async () => {
    send(callOut("1"));
    await until(() => copies.length + originals.length === 1);
    assert.deepEqual(originals, [{ _msgid: "1" }]);
  });
});
