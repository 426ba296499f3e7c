import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createHash, getHashes } from "node:crypto";
import { command as commandOf } from "../../../src/workshop/admin/tenant-routes";
import { waitingCalls } from "../../../src/workshop/admin/waiting-calls";
import { holdClock } from "../../support/clocks";
import { NOTHING_WAITS } from "../../support/counts";
import {
  clear,
  fail,
  give,
  load,
  pass,
  redeploy,
  roundTrip,
  STATUS_MS,
  seen,
  settle,
  statusesOf,
  statusesOfNext,
  until,
  warnings,
} from "../../support/stage";
import { CALL_STOP, callOut, callsOfTenant, control } from "../schedules/requests";

/** An empty status in the form that these tests use. */
const BLANK = { text: "undefined" };

describe("telephony-control", () => {
  const { held, flow, dialled } = callsOfTenant();
  const all = (tenant: Record<string, unknown> = {}) => flow(tenant, callOut(), CALL_STOP, control());
  const command = async (payload: unknown) => (await pass({ payload }, "k1")).payload;
  const paths = () => held.tenant.received.map(({ url }) => url.replace("/api/v1/call/", ""));

  describe("commands", () => {
    it("count only reports; the rest of the message stays", async () => {
      await load(all());
      const out = await pass({ _msgid: "m", payload: "count", topic: "t" }, "k1");
      deepStrictEqual(out, { _msgid: "m", payload: NOTHING_WAITS, topic: "t" });
      strictEqual(seen.completed.length, 1);
    });

    it("pause holds call-out only, resume lets it go on", async () => {
      await load(all());
      deepStrictEqual(await command("pause"), { ...NOTHING_WAITS, paused: true });
      const statuses = statusesOf("n1");
      for (let index = 0; index < 5; index += 1) give({ payload: String(index) });
      give({ payload: { callId: "c" } }, "n2");
      await until(() => seen.out.some(({ callId }) => callId === "c"), "the stop was accepted");
      await roundTrip();
      deepStrictEqual(paths(), ["stop-a-call"]);
      deepStrictEqual(await command("count"), { ...NOTHING_WAITS, paused: true, waiting: { callOut: 5, other: 0 } });
      await until(() => statuses.at(-1)?.text === "paused", "paused under the node");
      deepStrictEqual([statuses.at(-1)?.fill, statuses.at(-1)?.shape], ["grey", "ring"]);
      strictEqual((await command("resume")).paused, false);
      await until(() => dialled().length === 5, "the calls went out");
      deepStrictEqual(new Set(dialled()), new Set(["0", "1", "2", "3", "4"]));
    });

    it("pause does not hold what a message makes urgent", async () => {
      const urgent = callOut({ id: "n3", urgent: "urgent", urgentType: "msg" });
      await load(flow({ rate: "0.01" }, urgent, control()));
      await command("pause");
      for (const [payload, value] of Object.entries({ 0: undefined, 1: "on", 2: false, 3: true }))
        give({ payload, urgent: value }, "n3");
      await until(() => dialled().length === 1, "the first urgent one");
      const { calls } = await command("list");
      deepStrictEqual(
        calls.map((call: Record<string, unknown>) => [call["number"], call["urgent"], call["waitsFor"]]),
        [
          ["3", true, "turn"],
          ["0", false, "pause"],
          ["2", false, "pause"],
        ],
      );
      const shown = (await waitingCalls("t1")).calls.map(({ urgent: isUrgent }) => isUrgent);
      deepStrictEqual(shown, [true, false, false]);
      deepStrictEqual([dialled(), (await fail({ payload: "4", urgent: "soon" }, "n3")).cause.field], [["1"], "urgent"]);
    });

    it("drop fails the waiting messages of both lanes with ERR_DROPPED", async () => {
      const release = held.tenant.hold();
      await load(all({ concurrency: 1 }));
      for (let index = 0; index < 3; index += 1) give({ payload: String(index) });
      await until(() => held.tenant.received.length === 1, "one is in flight");
      give({ payload: { callId: "c" } }, "n2");
      await roundTrip();
      deepStrictEqual(await command("count"), { ...NOTHING_WAITS, waiting: { callOut: 2, other: 1 }, underWay: 1 });
      clear();
      give({ payload: "drop" }, "k1");
      await until(() => seen.caught.length === 3 && seen.out.length === 1, "three failed");
      deepStrictEqual(seen.out[0]?.payload, { ...NOTHING_WAITS, underWay: 1, dropped: 3 });
      for (const { error } of seen.caught) {
        deepStrictEqual(
          [error.code, error.cause.outcome, error.cause.retryable, error.cause.sent, error.cause.phase],
          ["ERR_DROPPED", "not-applied", true, "no", "queue"],
        );
      }
      release();
      await until(() => seen.out.length === 2, "the messages in flight ended");
      strictEqual(held.tenant.received.length, 1);
    });

    it("drops nothing with an only that is not held-back, whatever it is", async () => {
      await load(flow({}, callOut(), control(), control({ id: "k2", command: "drop" })));
      await command("pause");
      give({ payload: "1" });
      await roundTrip();
      const wrong = ["", " ", null, undefined, 0, false, [], {}, "heldback", "HELD-BACK", " held-back ", ["held-back"]];
      for (const only of wrong)
        for (const [id, payload] of [
          ["k1", { command: "drop", only }],
          ["k2", { only }],
        ] as const) {
          const { code, cause } = await fail({ payload }, id);
          deepStrictEqual([code, cause.field], ["ERR_INPUT", "only"], `${id} ${JSON.stringify(only)}`);
        }
      strictEqual((await command({ command: "drop", only: "held-back" })).dropped, 0);
      deepStrictEqual((await command("count")).waiting, { callOut: 1, other: 0 });
      strictEqual((await command(Object.create({ only: "" }, { command: { value: "drop" } }))).dropped, 1);
      await command("resume");
    });

    it("shows the editor three digits of each number, and a handle that no key can be tried on", async () => {
      const key = { onceKey: "payload", onceKeyType: "msg" };
      await load(flow({}, callOut(key), control()));
      await command("pause");
      const numbers = [
        "0901*234*567",
        "0901,,234567",
        "0901p234567#",
        "0901 x 234567",
        "+84(((0)))901",
        "\u0661".repeat(6),
      ];
      for (const payload of numbers) give({ payload });
      await until(async () => {
        clear();
        return (await command("count")).waiting.callOut === numbers.length;
      });
      const { calls } = await waitingCalls("t1");
      for (const shown of calls)
        for (const text of [shown.number, shown.key]) strictEqual(text?.match(/\p{Nd}/gu)?.length, 3, String(text));
      const { handle } = calls[0] ?? {};
      for (const hash of getHashes().filter((name) => !name.startsWith("shake")))
        for (const encoding of ["base64url", "hex"] as const)
          ok(
            !createHash(hash)
              .update(numbers[0] ?? "")
              .digest(encoding)
              .startsWith(handle ?? ""),
            hash,
          );
      strictEqual((await commandOf("t1", { command: "cancel", handle })).cancelled, 1);
      strictEqual((await command("drop")).dropped, numbers.length - 1);
      await command("resume");
    });

    it("a fixed command beats the payload", async () => {
      await load(flow({}, control({ command: "pause" })));
      strictEqual((await command("resume")).paused, true);
      strictEqual((await command({ any: 1 })).paused, true);
    });

    for (const bad of ["stop", "", undefined, null, 1, {}, ["pause"], "PAUSE"]) {
      it(`${JSON.stringify(bad)} is ERR_INPUT`, async () => {
        await load(flow({}, control()));
        const { code, cause } = await fail({ payload: bad }, "k1");
        deepStrictEqual([code, cause.action, cause.outcome], ["ERR_INPUT", "telephony-control", "not-applied"]);
      });
    }

    for (const payload of ["no command", "count"]) {
      it(`${payload} in a message that Node-RED cannot copy leaves a line in the log`, async () => {
        await load(flow({}, control({ wires: [["out", "closed"]] })));
        const trap = () => {
          throw new Error("a trap");
        };
        give(Object.defineProperty({ payload }, "trap", { enumerable: true, get: trap }), "k1");
        const lines = () => warnings().filter((text) => text.includes("log.undeliverable")).length;
        await until(() => lines() > 0, "a line in the log");
        strictEqual(lines(), 1);
      });
    }

    for (const [mode, prefix] of [
      ["live", ""],
      ["sandbox", "mode.sandbox: "],
      ["log", "mode.log: "],
    ] as const) {
      it(`shows the waiting messages as the ${mode} tenant's other nodes do`, async () => {
        await load(flow({ mode }, control()));
        const statuses = statusesOf("k1");
        await command("count");
        await until(() => statuses.some(({ fill }) => fill === "blue"), "waiting messages");
        await command("pause");
        await until(() => statuses.some(({ fill }) => fill === "grey"), "the pause");
        deepStrictEqual(statuses.slice(-2), [
          { fill: "blue", shape: "ring", text: `${prefix}waiting` },
          { fill: "grey", shape: "ring", text: `${prefix}paused, waiting` },
        ]);
        await command("resume");
      });
    }

    it("shows what another one of the same tenant does", async () => {
      await load(flow({}, control(), control({ id: "k2" })));
      const statuses = statusesOf("k2");
      await command("pause");
      await until(() => statuses.at(-1)?.text === "paused, waiting", "the pause");
      await command("resume");
      await until(() => statuses.at(-1)?.text === "waiting", "that it is over");
    });

    it("a pause and its end are shown under a node whose calls wait for their rate slot", async () => {
      await load(all({ rate: 0.001 }));
      const statuses = statusesOf("n1");
      give({ payload: "1" });
      give({ payload: "2" });
      await until(() => seen.out.length === 1 && statuses.at(-1)?.text === "waiting", "the second one waits");
      for (const [word, shown] of [
        ["pause", "paused"],
        ["resume", "waiting"],
      ]) {
        await command(word);
        await until(() => statuses.at(-1)?.text === shown, `${word} is shown`);
      }
    });

    it("needs a tenant that can be used, and shows so at deploy", async () => {
      await load(flow({ url: "http://example.com" }, control(), control({ id: "k2", tenant: "" })));
      const statuses = [statusesOf("k1"), statusesOf("k2")];
      await until(() => statuses.every((list) => list.some(({ fill }) => fill === "red")), "red at deploy");
      strictEqual((await fail({ payload: "count" }, "k1")).code, "ERR_CONFIG");
      strictEqual((await fail({ payload: "count" }, "k2")).code, "ERR_CONFIG");
    });

    it("works on its own tenant only", async () => {
      await load([
        ...flow({}, control(), control({ id: "k2", tenant: "t2" })),
        { id: "t2", type: "telephony-tenant", name: "", url: `${held.tenant.url}/other` },
      ]);
      await command("pause");
      strictEqual((await pass({ payload: "count" }, "k2")).payload.paused, false);
    });
  });

  describe("redeploys", () => {
    for (const [what, before] of [
      ["the sandbox", { mode: "sandbox" }],
      ["log mode", { mode: "log" }],
      ["an address that was wrong", { url: "x" }],
    ] as const) {
      it(`clear the status of ${what}`, async () => {
        await load(all(before));
        const shown = ["n1", "n2", "k1"].map(statusesOfNext);
        await redeploy(all());
        await until(() => shown.every((statuses) => statuses.length > 0), "each shows something else");
        deepStrictEqual(
          shown.map((statuses) => statuses.at(-1)),
          Array(3).fill(BLANK),
        );
      });
    }

    it("a success after its node became invalid leaves the error shown", async () => {
      const [clock, release] = [holdClock(), held.tenant.hold()];
      await load(all());
      give({ payload: "1" });
      await until(() => held.tenant.received.length === 1, "it is in flight");
      const shown = statusesOfNext("n1");
      await redeploy(all({ url: "x" }));
      await until(() => shown.at(-1)?.text === "ERR_CONFIG", "the error is shown");
      clock.advance(STATUS_MS);
      release();
      await until(() => seen.out.length === 1, "it came out");
      await settle();
      strictEqual(shown.at(-1)?.text, "ERR_CONFIG");
    });

    it("keep a pause and what waits, and show both", async () => {
      await load(all());
      await command("pause");
      give({ payload: "7" });
      await roundTrip();
      const [shown, counted] = [statusesOfNext("n1"), statusesOfNext("k1")];
      await redeploy(all());
      await until(() => shown.at(-1)?.text === "paused" && counted.at(-1)?.text === "paused, waiting", "both show it");
      deepStrictEqual(await command("count"), { ...NOTHING_WAITS, paused: true, waiting: { callOut: 1, other: 0 } });
      strictEqual((await command("drop")).dropped, 1);
      await command("resume");
    });
  });
});
