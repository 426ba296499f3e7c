import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Follower, Lanes, TenantClient } from "../../../src/client";
import { holdTexts } from "../../../src/client/queue/trouble-text";
import { shared, speaking } from "../../../src/runtime/node-red/catalogue";
import type { Owner } from "../../../src/runtime/tenants/chosen-tenant";
import { logTrouble } from "../../../src/runtime/tenants/engine";

const start = Date.parse("2026-11-25T10:42:00Z");

describe("what is said of a hold", () => {
  const logged: string[] = [];
  const log = {
    info: (line: string) => logged.push(`info ${line}`),
    warn: (line: string) => logged.push(`warn ${line}`),
  };
  const RED = speaking({ log }, "en-US");
  /** Says what holds the calls of a tenant in Ho Chi Minh City; nothing does without a reason. */
  let say: (lanes: { reason?: string; since?: number; waiting?: number; own?: number }) => void;

  beforeEach(() => {
    logged.length = 0;
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: start });
    let [look, lanes] = [() => {}, {} as Lanes];
    const follow = (follower: Follower) => {
      look = () => follower.changed?.();
    };
    const client = {
      follow,
      get lanes() {
        return lanes;
      },
    } as unknown as TenantClient;
    logTrouble(RED, { name: "Shop", settings: { timezone: "Asia/Ho_Chi_Minh" } } as Owner, client);
    say = ({ reason, since = start, waiting = 5, own = 1 }) => {
      const counts = { notHeldBack: waiting, own };
      lanes = { ...counts, isShared: true, ...(reason !== undefined && { reason, reasonSince: since }) } as Lanes;
      look();
    };
  });
  afterEach(() => mock.timers.reset());

  it("is logged once it has lasted 10 seconds, and when it ends", () => {
    say({ reason: "ERR_AUTH" });
    mock.timers.tick(9999);
    assert.deepEqual(logged, []);
    mock.timers.tick(1);
    const sentence = "Token refused since 17:42. 5 calls wait. Enter the new token, and deploy.";
    assert.deepEqual(logged, [`warn Shop: ${sentence}`]);
    say({ reason: "ERR_CONNECT", waiting: 7 });
    mock.timers.tick(3_600_000);
    say({ waiting: 1 });
    assert.deepEqual(logged.slice(1), ["info Shop: calls continue after 1:00:10. Calls that waited: 7."]);
  });

  it("is not logged if it is shorter, nor in a group where no call of this process waits", () => {
    say({ reason: "ERR_AUTH" });
    mock.timers.tick(9000);
    say({});
    say({ reason: "ERR_AUTH", own: 0 });
    mock.timers.tick(60_000);
    say({});
    assert.deepEqual(logged, []);
  });

  it("names the weekday after a day, in the tenant's zone, and no count without waiting calls", () => {
    const said = (reason: string, since: number, waiting: number) =>
      holdTexts((key, params) => shared(RED, key, params), { reason, since, waiting, zone: "Asia/Ho_Chi_Minh" });
    assert.equal(said("ERR_AUTH", start, 5).status, "Token refused since 17:42 · 5 waiting");
    assert.equal(said("ERR_SERVER", start - 86_400_000, 1).status, "Service failing since Tue 17:42 · 1 waiting");
    assert.equal(
      said("ERR_DNS", start, 0).sentence,
      "No connection since 17:42. Check the network and the tenant's address.",
    );
    assert.match(said("ERR_RATE_LIMITED", start, 1).sentence, /^Too many requests since 17:42\. 1 call waits\. Lower /);
  });
});
