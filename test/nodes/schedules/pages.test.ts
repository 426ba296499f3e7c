import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { envelope, type Hour, hour, pageOf, queryOf, serving } from "../../support/business-hours";
import type { Received, Reply } from "../../support/live-tenant";
import {
  fail,
  flowOf,
  give,
  load,
  pass,
  roundTrip,
  seen,
  settle,
  statusesOf,
  until,
  withTenant,
} from "../../support/stage";

const hours = (count: number) => Array.from({ length: count }, (_, index) => hour(index + 1, `Schedule ${index + 1}`));

describe("business-hour-list over several pages", () => {
  const held = withTenant();
  const pagesAsked = () => held.tenant.received.map((request) => queryOf(request)["page"]);
  const only = (output: string, more: Record<string, unknown> = {}) =>
    load(
      flowOf(
        { url: held.tenant.url },
        { id: "n1", type: "business-hour-list", tenant: "t1", output, wires: [["out"]], ...more },
      ),
    );
  const eachDone = () => until(() => seen.completed.length + seen.caught.length > 0, "the list ended");

  /** Answers pages of what is given, with what is wrong about one of them. */
  const wrong =
    (list: readonly Hour[], page: number, more: object) =>
    (request: Received): Reply => {
      const { page: asked = "1", limit = "2" } = queryOf(request);
      return { body: envelope(pageOf(list, Number(asked), Number(limit), Number(asked) === page ? more : {})) };
    };

  for (const [output, what, page, more] of [
    ["all", "an empty page before the last", 2, { data: [] }],
    ["all", "a page that is no list", 2, { data: "nothing" }],
    ["all", "a page without its number", 2, { current_page: undefined }],
    ["all", "another page than the one asked for", 2, { current_page: 1 }],
    ["each", "a total that changes", 2, { total: 7 }],
    ["each", "more than the total", 2, { data: hours(6) }],
    ["each", "a list that is shorter than its total", 3, { data: hours(1) }],
  ] as const)
    it(`${output}: ${what} is ERR_BAD_RESPONSE`, async () => {
      held.tenant.answers(wrong(hours(6), page, more));
      await only(output);
      give({ payload: { limit: 2 } });
      await eachDone();
      await settle();
      const { code, cause } = seen.caught[0]?.["error"] ?? {};
      const unchanged = ["ERR_BAD_RESPONSE", "not-applied", true, "yes"];
      deepStrictEqual([code, cause.outcome, cause.retryable, cause.sent], unchanged);
      deepStrictEqual([held.tenant.received.length, seen.completed.length], [page, 0]);
    });

  describe("all", () => {
    it("is one list of every business hour, requested by page number at the tenant's own address", async () => {
      held.tenant.answers(serving(() => hours(5)));
      await only("all");
      const out = await pass({ payload: { limit: 2, search: "sched", asc: true } });
      deepStrictEqual(out.payload, hours(5));
      deepStrictEqual(held.tenant.received.map(queryOf), [
        { search: "sched", limit: "2", asc: "true" },
        { search: "sched", limit: "2", asc: "true", page: "2" },
        { search: "sched", limit: "2", asc: "true", page: "3" },
      ]);
      ok(held.tenant.received.every(({ headers }) => `http://${headers.host}` === held.tenant.url));
      strictEqual(out["statusCode"], 200);
      strictEqual(out["telephony"].attempts, 3);
    });

    it("begins at the page given and adds no limit", async () => {
      held.tenant.answers(serving(() => hours(50)));
      await only("all", { page: "2", pageType: "num" });
      deepStrictEqual((await pass({})).payload, hours(50).slice(20));
      deepStrictEqual(held.tenant.received.map(queryOf), [{ page: "2" }, { page: "3" }]);
    });

    it("requests one page at a time", async () => {
      let underWay = 0;
      let most = 0;
      held.tenant.answers(async (request) => {
        most = Math.max(most, ++underWay);
        await roundTrip();
        underWay -= 1;
        return serving(() => hours(10))(request);
      });
      await only("all");
      await pass({ payload: { limit: 2 } });
      strictEqual(most, 1);
    });

    /** A service that always has one more page than it was asked for. */
    const endless = (shown: (page: number) => { last_page: number; total: number }) => {
      held.tenant.answers((request) => {
        const page = Number(queryOf(request)["page"] ?? 1);
        return { body: envelope({ ...pageOf([hour(page, "x")], 1, 1), current_page: page, ...shown(page) }) };
      });
    };

    for (const [what, shown, requests] of [
      ["always has another page", (page: number) => ({ last_page: page + 1, total: page + 1 }), 2],
      ["ends a list at its total, but not its pages", () => ({ last_page: 9_000, total: 3 }), 3],
      ["announces more pages than anyone can read", () => ({ last_page: 1e9, total: 1e9 }), 1],
    ] as const) {
      it(`a service that ${what} is ERR_BAD_RESPONSE`, async () => {
        endless(shown);
        await only("all");
        const { code, cause } = await fail({ payload: {} });
        deepStrictEqual([code, cause.outcome, cause.retryable], ["ERR_BAD_RESPONSE", "not-applied", true]);
        strictEqual(held.tenant.received.length, requests);
      });
    }

    it("begins at the last of very many pages", async () => {
      endless(() => ({ last_page: 1_000_000, total: 1_000_000 }));
      await only("all");
      deepStrictEqual((await pass({ payload: { page: 999_999 } })).payload.length, 2);
    });

    it("a failure on the way fails the message", async () => {
      held.tenant.answers((request) =>
        queryOf(request)["page"] === "2" ? { status: 401, body: {} } : serving(() => hours(6))(request),
      );
      await only("all");
      const { code } = await fail({ payload: { limit: 2 } });
      strictEqual(code, "ERR_AUTH");
    });

    it("shows how far it is", async () => {
      let release = () => {};
      held.tenant.answers((request, index) => {
        if (index === 1) release = held.tenant.hold();
        return serving(() => hours(12))(request);
      });
      await only("all");
      const statuses = statusesOf("n1");
      give({ payload: { limit: 2 } });
      await until(() => statuses.some(({ text, fill }) => text === "page" && fill === "blue"), "a page is shown");
      release();
      await until(() => seen.out.length === 1, "the list came out");
      ok(statuses.findIndex(({ text }) => text === "page") > statuses.findLastIndex(({ text }) => text === "sending"));
    });
  });

  describe("each", () => {
    it("sends one message per business hour, with parts", async () => {
      held.tenant.answers(serving(() => hours(5)));
      await only("each");
      give({ _msgid: "m1", payload: { limit: 2 }, topic: "kept" });
      await eachDone();
      deepStrictEqual(seen.caught, []);
      deepStrictEqual(
        seen.out.map(({ payload }) => payload),
        hours(5),
      );
      const ids = new Set(seen.out.map(({ parts }) => parts.id));
      strictEqual(ids.size, 1);
      const [id] = ids;
      deepStrictEqual(
        seen.out.map(({ parts }) => parts),
        [0, 1, 2, 3, 4].map((index) => ({ id, index, count: 5, type: "array", len: 1 })),
      );
      strictEqual(new Set([...seen.out.map(({ _msgid }) => _msgid), "m1"]).size, 6, "a new _msgid each");
      ok(seen.out.every(({ topic }) => topic === "kept"));
      deepStrictEqual(pagesAsked(), [undefined, "2", "3"]);
      strictEqual(seen.completed.length, 1, "done once, after the last");
    });

    it("each message carries the answer of its own page, not of an earlier node", async () => {
      held.tenant.answers(serving(() => hours(3)));
      await only("each");
      const stale = { statusCode: 404, envelope: { success: false }, telephony: { action: "business-hour-get" } };
      give({ payload: { limit: 2 }, ...stale });
      await eachDone();
      deepStrictEqual(
        seen.out.map(({ statusCode, envelope }) => [statusCode, envelope.success, envelope.data.current_page]),
        [
          [200, true, 1],
          [200, true, 1],
          [200, true, 2],
        ],
      );
      deepStrictEqual(
        seen.out.map(({ telephony: { action, mode, request, attempts } }) => ({ action, mode, request, attempts })),
        [{ limit: 2 }, { limit: 2 }, { limit: 2, page: 2 }].map((request) => ({
          action: "business-hour-list",
          mode: "live",
          request,
          attempts: 1,
        })),
      );
      ok(seen.out.every(({ telephony }) => telephony.waitedMs >= 0 && telephony.elapsedMs >= 0));
    });

    it("keeps parts that were there", async () => {
      held.tenant.answers(serving(() => hours(1)));
      await only("each");
      const outer = { id: "o", index: 2, count: 3, type: "array", len: 1 };
      give({ payload: {}, parts: outer });
      await eachDone();
      const { id, ...rest } = seen.out[0]?.["parts"] ?? {};
      deepStrictEqual(rest, { index: 0, count: 1, type: "array", len: 1, parts: outer });
      notStrictEqual(id, "o");
    });

    it("two runs of one message have separate parts", async () => {
      held.tenant.answers(serving(() => hours(2)));
      await only("each");
      give({ _msgid: "same", payload: {} });
      give({ _msgid: "same", payload: {} });
      await until(() => seen.completed.length === 2, "both ended");
      strictEqual(new Set(seen.out.map(({ parts }) => parts.id)).size, 2);
    });

    for (const [payload, first] of [
      [{ limit: 2 }, 0],
      [{ limit: 2, page: 2 }, 2],
    ] as const) {
      it(`a core join node puts the list together again, from index ${first}`, async () => {
        held.tenant.answers(serving(() => hours(5)));
        await load(
          flowOf(
            { url: held.tenant.url },
            { id: "n1", type: "business-hour-list", tenant: "t1", output: "each", wires: [["j1"]] },
            { id: "j1", type: "join", mode: "auto", wires: [["out"]] },
          ),
        );
        deepStrictEqual((await pass({ payload })).payload, hours(5).slice(first));
      });
    }

    for (const [what, payload] of [
      ["an empty list", {}],
      ["a page after the last", { page: 9 }],
    ] as const) {
      it(`${what} sends nothing and is done`, async () => {
        held.tenant.answers(serving(() => ("page" in payload ? hours(5) : [])));
        await only("each");
        give({ payload });
        await eachDone();
        deepStrictEqual([seen.out.length, seen.caught.length, seen.completed.length], [0, 0, 1]);
        strictEqual(held.tenant.received.length, 1);
      });
    }
  });
});
