import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { Sandbox } from "../../src/sandbox";
import { TOKEN } from "../canary";
import { withTenant } from "../nodes/flow";
import { envelope, fail, flowOf, hour, load, pageOf, pass, queryOf, refusal, serving } from "./stage";

const LIST = "/api/v1/setting/business-hour";

describe("requests of the business hour nodes", () => {
  const held = withTenant();
  const lines = () => held.tenant.received.map(({ method, url }) => `${method} ${url}`);

  const only = async (type: string, more: Record<string, unknown> = {}, tenant: Record<string, unknown> = {}) =>
    load(flowOf({ url: held.tenant.url, ...tenant }, { id: "n1", type, tenant: "t1", wires: [["out"]], ...more }));

  describe("business-hour-list", () => {
    beforeEach(() => held.tenant.answers(serving(() => [hour(1, "Office")])));

    it("asks with nothing when nothing is given", async () => {
      await only("business-hour-list");
      const out = await pass({ payload: "not an object" });
      deepStrictEqual(lines(), [`GET ${LIST}`]);
      strictEqual(held.tenant.received[0]?.headers["accept"], "application/json");
      strictEqual(held.tenant.received[0]?.headers["authentication"], `Bearer ${TOKEN}`);
      strictEqual(held.tenant.received[0]?.body, undefined);
      deepStrictEqual(out.payload, pageOf([hour(1, "Office")], 1, 20), "the paged list as received");
      deepStrictEqual(out["envelope"], envelope(out.payload));
      strictEqual(out["statusCode"], 200);
      const { action, mode, request, attempts } = out["telephony"];
      deepStrictEqual(
        { action, mode, request, attempts },
        { action: "business-hour-list", mode: "live", request: {}, attempts: 1 },
      );
    });

    it("asks with what is given, booleans as words", async () => {
      await only("business-hour-list");
      const out = await pass({ payload: { search: " Büro & Co ", limit: "5", asc: 0, page: 1 } });
      deepStrictEqual(queryOf(held.tenant.received[0] as never), {
        search: "Büro & Co",
        limit: "5",
        asc: "false",
        page: "1",
      });
      deepStrictEqual(out["telephony"].request, { search: "Büro & Co", limit: 5, asc: false, page: 1 });
    });

    it("takes asc from a checkbox and limit from a number input", async () => {
      await only("business-hour-list", {
        asc: "true",
        ascType: "bool",
        limit: "2",
        limitType: "num",
        search: "",
        page: "",
      });
      await pass({ payload: { search: "not read", page: 9 } });
      deepStrictEqual(queryOf(held.tenant.received[0] as never), { limit: "2", asc: "true" });
    });

    for (const [field, value] of [
      ["limit", "many"],
      ["limit", 0],
      ["page", 1.5],
      ["asc", "perhaps"],
      ["search", { a: 1 }],
    ] as const) {
      it(`refuses ${field} ${JSON.stringify(value)}`, async () => {
        await only("business-hour-list");
        const { code, cause } = await fail({ payload: { [field]: value } });
        deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", field, `msg.payload.${field}`]);
        deepStrictEqual(lines(), []);
      });
    }

    it("refuses an output that there is not", async () => {
      await only("business-hour-list", { output: "every" });
      const { code, cause } = await fail({});
      deepStrictEqual([code, cause.field], ["ERR_CONFIG", "output"]);
    });
  });

  describe("business-hour-get and -delete", () => {
    for (const [type, method] of [
      ["business-hour-get", "GET"],
      ["business-hour-delete", "DELETE"],
    ] as const) {
      for (const [given, sent] of [
        [7, "7"],
        ["7", "7"],
        [" 0042 ", "0042"],
        ["123456789012345678", "123456789012345678"],
      ] as const) {
        it(`${type} takes the id ${JSON.stringify(given)}`, async () => {
          held.tenant.answers(() => ({ body: envelope(null, { code: 0 }) }));
          await only(type);
          const out = await pass({ payload: { id: given } });
          deepStrictEqual(lines(), [`${method} ${LIST}/${sent}`]);
          strictEqual(held.tenant.received[0]?.body, undefined);
          deepStrictEqual(out["telephony"].request, { id: sent });
          strictEqual("callId" in out, false);
        });
      }

      for (const bad of [
        "",
        null,
        "abc",
        "1/2",
        "../1",
        "..",
        "%2e",
        "1/../2",
        "1?x=1",
        "-1",
        "1.5",
        "١٢",
        "1234567890123456789",
        1e21,
        1.5,
        -1,
        true,
        {},
        [1],
        "1\n2",
      ]) {
        it(`${type} sends nothing for the id ${JSON.stringify(bad)}`, async () => {
          await only(type);
          const { code, cause } = await fail({ payload: { id: bad } });
          strictEqual(code, "ERR_INPUT");
          deepStrictEqual(
            [cause.field, cause.outcome, cause.sent, cause.retryable],
            ["id", "not-applied", "no", false],
          );
          deepStrictEqual(lines(), []);
        });
      }

      it(`${type} reads its own property scheduleId`, async () => {
        held.tenant.answers(() => ({ body: envelope(null) }));
        await only(type, { scheduleId: "12", scheduleIdType: "num" });
        await pass({ payload: { id: 7 } });
        deepStrictEqual(lines(), [`${method} ${LIST}/12`]);
      });
    }

    it("gives the business hour as received", async () => {
      held.tenant.answers(serving(() => [hour(7, "Office")]));
      await only("business-hour-get", { target: "schedule" });
      const out = await pass({ payload: { id: 7 } });
      deepStrictEqual(out["schedule"], hour(7, "Office"));
      deepStrictEqual(out.payload, { id: 7 });
    });

    it("tells of a 404 as rejected", async () => {
      held.tenant.answers(serving(() => []));
      await only("business-hour-get");
      const { code, cause } = await fail({ payload: { id: 7 } });
      deepStrictEqual(
        [code, cause.outcome, cause.retryable, cause.httpStatus, cause.serviceMessage],
        ["ERR_REJECTED", "rejected", false, 404, "Not found"],
      );
    });

    it("a 404 on the first DELETE is a refusal", async () => {
      held.tenant.answers(() => ({ status: 404, body: refusal("Not found") }));
      await only("business-hour-delete");
      strictEqual((await fail({ payload: { id: 7 } })).code, "ERR_REJECTED");
      strictEqual(held.tenant.received.length, 1);
    });

    for (const [what, loss] of [
      ["a lost answer", (response: ServerResponse) => response.destroy()],
      ["a 503", { status: 503, body: refusal("busy") }],
    ] as const) {
      it(`a 404 on a DELETE repeated after ${what} is a success`, async () => {
        const gone = refusal("Not found");
        held.tenant.answers((_request, index) => (index === 0 ? loss : { status: 404, body: gone }));
        await only("business-hour-delete");
        const out = await pass({ payload: { id: 7 } });
        strictEqual(out.payload, null);
        strictEqual(out["statusCode"], 404);
        deepStrictEqual(out["envelope"], gone);
        strictEqual(out["telephony"].attempts, 2);
        strictEqual(held.tenant.received.length, 2);
      });
    }

    it("repeats a DELETE twice at most", async () => {
      held.tenant.answers(() => ({ status: 500, body: refusal("down") }));
      await only("business-hour-delete");
      const { code, cause } = await fail({ payload: { id: 7 } });
      deepStrictEqual([code, cause.outcome, cause.retryable, cause.attempts], ["ERR_SERVER", "unknown", true, 3]);
      strictEqual(held.tenant.received.length, 3);
    });
  });

  describe("business-hour-create", () => {
    const days = [{ day: "mon", open: "08:00", close: "17:00" }];
    const created = { name: "Office", enable: true, updated_at: "x", created_at: "x", id: 9 };
    beforeEach(() => held.tenant.answers(() => ({ body: envelope(created) })));
    const body = () => held.tenant.received[0]?.body;

    it("sends name, days and enabled, true when not given", async () => {
      await only("business-hour-create");
      const out = await pass({ payload: { name: "Office", days } });
      deepStrictEqual(lines(), [`POST ${LIST}`]);
      deepStrictEqual(body(), { name: "Office", enabled: true, days });
      strictEqual(held.tenant.received[0]?.headers["content-type"], "application/json");
      deepStrictEqual(out.payload, created);
      deepStrictEqual(out["telephony"].request, { name: "Office", enabled: true, days });
    });

    it("normalises times and drops what is no part of a day", async () => {
      await only("business-hour-create");
      const given = [
        { day: "mon", open: "8:00", close: "17:00:00", id: 4 },
        { day: "mon", open: "18:00", close: "2:30" },
        { day: "sun", open: "00:00:00", close: "23:59:00" },
      ];
      await pass({ payload: { name: 5, days: given, enabled: "off", id: 3, extra: 1 } });
      deepStrictEqual(body(), {
        name: "5",
        enabled: false,
        days: [
          { day: "mon", open: "08:00", close: "17:00" },
          { day: "mon", open: "18:00", close: "02:30" },
          { day: "sun", open: "00:00", close: "23:59" },
        ],
      });
    });

    it("takes the JSON text of the days", async () => {
      await only("business-hour-create");
      await pass({ payload: { name: "Office", days: JSON.stringify(days) } });
      deepStrictEqual(body(), { name: "Office", enabled: true, days });
    });

    for (const [payload, enabled] of [
      [{ enable: 0 }, false],
      [{ enable: 1 }, true],
      [{ enabled: true, enable: 0 }, true],
      [{ enabled: 0, enable: 1 }, false],
      [{ enable: "false" }, false],
    ] as const) {
      it(`${JSON.stringify(payload)} means ${enabled}`, async () => {
        await only("business-hour-create");
        await pass({ payload: { name: "Office", days, ...payload } });
        strictEqual((body() as { enabled: boolean }).enabled, enabled);
      });
    }

    it("payload.enable counts for the default mapping spelt out", async () => {
      await only("business-hour-create", { enabled: "payload.enabled", enabledType: "msg" });
      await pass({ payload: { name: "Office", days, enable: 0 } });
      strictEqual((body() as { enabled: boolean }).enabled, false);
    });

    it("payload.enable does not count for another mapping", async () => {
      await only("business-hour-create", { enabled: "payload.on", enabledType: "msg" });
      await pass({ payload: { name: "Office", days, enable: 0 } });
      strictEqual((body() as { enabled: boolean }).enabled, true);
    });

    it("takes name and days from its properties", async () => {
      await only("business-hour-create", {
        scheduleName: "Night",
        scheduleNameType: "str",
        days,
        daysType: "list",
        enabled: "false",
        enabledType: "bool",
      });
      await pass({ payload: { name: "not read" } });
      deepStrictEqual(body(), { name: "Night", enabled: false, days });
    });

    const entry = { day: "mon", open: "08:00", close: "17:00" };
    for (const [bad, field] of [
      [{ days }, "name"],
      [{ name: "", days }, "name"],
      [{ name: true, days }, "name"],
      [{ name: "x" }, "days"],
      [{ name: "x", days: [] }, "days"],
      [{ name: "x", days: "nonsense" }, "days"],
      [{ name: "x", days: {} }, "days"],
      [{ name: "x", days: Array(101).fill(entry) }, "days"],
      [{ name: "x", days: [entry, { ...entry, day: "monday" }] }, "days[1].day"],
      [{ name: "x", days: [entry, entry, { ...entry, open: "08:00:30" }] }, "days[2].open"],
      [{ name: "x", days: [{ ...entry, close: "24:00" }] }, "days[0].close"],
      [{ name: "x", days: [{ ...entry, close: "25:00" }] }, "days[0].close"],
      [{ name: "x", days: [{ day: "mon", open: "08:00" }] }, "days[0].close"],
      [{ name: "x", days, enabled: "maybe" }, "enabled"],
    ] as const) {
      it(`refuses ${JSON.stringify(bad).slice(0, 90)}`, async () => {
        await only("business-hour-create");
        const { code, cause } = await fail({ payload: bad });
        deepStrictEqual([code, cause.field], ["ERR_INPUT", field]);
        strictEqual(cause.source, `msg.payload.${field}`);
        deepStrictEqual(lines(), []);
      });
    }

    it("is never repeated once a byte may have left", async () => {
      held.tenant.answers(() => ({ status: 503, body: refusal("busy") }));
      await only("business-hour-create");
      const { code, cause } = await fail({ payload: { name: "x", days } });
      deepStrictEqual([code, cause.outcome, cause.retryable, cause.attempts], ["ERR_SERVER", "unknown", false, 1]);
    });

    it("in log mode answers its fields with id 0 and sends nothing", async () => {
      await only("business-hour-create", {}, { mode: "log" });
      const out = await pass({ payload: { name: "Office", days } });
      strictEqual(out.payload.id, 0);
      strictEqual(out.payload.name, "Office");
      strictEqual(out.payload.enable, true);
      strictEqual(out["telephony"].mode, "log");
      deepStrictEqual(lines(), []);
    });
  });

  it("what was read can be created again unchanged", async () => {
    const sandbox = await Sandbox.start({ token: TOKEN });
    try {
      await load(
        flowOf(
          { url: sandbox.url },
          { id: "n1", type: "business-hour-get", tenant: "t1", wires: [["n2"]] },
          { id: "n2", type: "business-hour-create", tenant: "t1", wires: [["n3"]] },
          { id: "n3", type: "business-hour-get", tenant: "t1", wires: [["out"]] },
        ),
      );
      for (const id of [1, 2]) {
        const out = await pass({ payload: { id } });
        const before = sandbox.state.schedules.find(id);
        ok(before && out.payload.id !== id);
        deepStrictEqual(
          [out.payload.name, out.payload.enable, out.payload.days],
          [before.name, before.enable, before.days],
        );
      }
    } finally {
      await sandbox.stop();
    }
  });
});
