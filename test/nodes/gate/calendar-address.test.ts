import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type CalendarServer, calendarServer, ics } from "../../support/calendars/server";
import {
  clear,
  fail,
  flowOf,
  helper,
  load,
  nodeOf,
  pass,
  statusesOf,
  until,
  warnings,
  withTenant,
} from "../../support/stage";
import { ownGate as gate, judged, MORNING } from "./gates";

const HOLIDAY = ics(["DTSTART;VALUE=DATE:20261123", "SUMMARY:Founding day", "TRANSP:TRANSPARENT"]);

describe("business-hour-gate with the address of a calendar", () => {
  const held = withTenant();
  let server: CalendarServer;
  beforeEach(async () => {
    clear();
    server = await calendarServer(HOLIDAY);
  });
  afterEach(() => server.stop());

  const address = () => `${server.url}/private-token/basic.ics`;
  const flow = (...gates: Record<string, unknown>[]) => flowOf({ url: held.tenant.url }, ...gates);
  const atAddress = (more: Record<string, unknown> = {}) =>
    gate({ exceptions: address(), exceptionsType: "url", ...more });
  const at = async (time = MORNING, id = "n1") => {
    const { open, reason, exception, incomplete } = await judged({ at: time }, id);
    return [open, reason, exception, incomplete];
  };
  const CLOSED = [false, "exception", "Founding day", false];
  const BY_THE_WEEK = [true, "hours", null, true];

  it("is closed on its holidays; all gates share one request, and a message before it is answered waits", async () => {
    const answers: (() => void)[] = [];
    server.answers((response) => void answers.push(() => response.end(HOLIDAY)));
    await load(flow(atAddress(), atAddress({ id: "n2" })));
    await until(() => answers.length > 0, "a request");
    const waiting = at();
    answers[0]?.();
    deepStrictEqual(await waiting, CLOSED);
    deepStrictEqual(await at(MORNING, "n2"), CLOSED);
    deepStrictEqual(await at("2026-11-24T08:30"), [true, "hours", null, false]);
    strictEqual(server.requests.length, 1);
  });

  it("may have an environment variable in it", async () => {
    process.env["TEST_CALENDAR"] = "private-token";
    try {
      await load(flow(atAddress({ exceptions: `${server.url}/\${TEST_CALENDAR}/basic.ics` })));
      deepStrictEqual(await at(), CLOSED);
      strictEqual(server.requests[0]?.url, "/private-token/basic.ics");
    } finally {
      delete process.env["TEST_CALENDAR"];
    }
  });

  const nothing: Readonly<Record<string, () => void>> = {
    "that answers with 404": () => server.answers((response) => response.writeHead(404).end("<html></html>")),
    "with a calendar of no events": () => server.answers(ics()),
  };
  for (const [what, prepare] of Object.entries(nothing))
    it(`${what} leaves it to the week, in yellow and with one warning`, async () => {
      prepare();
      await load(flow(atAddress()));
      const shown = statusesOf("n1");
      for (let times = 0; times < 3; times += 1) deepStrictEqual(await at(), BY_THE_WEEK);
      const last = shown.at(-1);
      if (last) ok(last.fill === "yellow" && /noHolidays/.test(last.text ?? ""), JSON.stringify(shown));
      strictEqual(warnings().filter((text) => /noHolidays/.test(text)).length, 1);
      ok(!JSON.stringify(warnings()).includes("private-token"), "an address may be secret");
    });

  for (const bad of [
    "http://example.com/a.ics",
    "ftp://example.com",
    "holidays",
    "https://",
    "https://a.example/${NO_SUCH}",
  ])
    it(`${bad} is ERR_CONFIG, and nothing is fetched`, async () => {
      await load(flow(atAddress({ exceptions: bad })));
      strictEqual((await fail({ at: MORNING })).code, "ERR_CONFIG");
    });

  it("reads an address for its exceptions only", async () => {
    await load(flow(gate({ override: address(), overrideType: "url" })));
    const { code, cause } = await fail({ at: MORNING });
    deepStrictEqual([code, cause.field, server.requests.length], ["ERR_INPUT", "override", 0]);
  });

  for (const [type, value] of [
    ["global", undefined],
    ["global", ""],
    ["global", []],
    ["flow", null],
    ["env", undefined],
    ["url", undefined],
    ["msg", undefined],
  ] as const)
    it(`exceptions that are missing or empty (${type}: ${JSON.stringify(value)}) leave it to the week, with one warning`, async () => {
      await load(flow(gate({ exceptions: type === "url" ? "" : "misspelt", exceptionsType: type })));
      if (type === "global" || type === "flow") nodeOf("n1").context()[type].set("misspelt", value);
      for (let times = 0; times < 3; times += 1) deepStrictEqual(await at(), BY_THE_WEEK);
      strictEqual(warnings().filter((text) => /noHolidays/.test(text)).length, 1);
    });

  it("and an empty list in the dialog are known", async () => {
    await load(flow(gate({ exceptions: [], exceptionsType: "list" })));
    deepStrictEqual(await at(), [true, "hours", null, false]);
  });

  it("logs once which days are closed only because all-day events count", async () => {
    const year = new Date().getFullYear() + 1;
    server.answers(ics([`DTSTART;VALUE=DATE:${year}0101`, "SUMMARY:New Year", "TRANSP:TRANSPARENT"]));
    await load(flow(atAddress(), atAddress({ id: "n2" })));
    for (const id of ["n1", "n2", "n1"]) await pass({ at: MORNING }, id);
    const lines = (helper.log().args.flat() as { msg: unknown }[]).map(({ msg }) => String(msg));
    strictEqual(lines.filter((line) => /closedThoughFree/.test(line)).length, 1);
  });
});
