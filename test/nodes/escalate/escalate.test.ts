import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { resolutionOf } from "../../../src/runtime/nodes/escalate/reading";
import { tenantOf } from "../../../src/runtime/tenants/tenants";
import { serving } from "../../support/business-hours";
import type { Reply } from "../../support/live-tenant";
import { clear, fail, give, load, seen, statusesOf, until, warnings } from "../../support/stage";
import { CONTROL, callOut } from "../schedules/requests";
import { acknowledge, ending, escalate, incident, incidents, PEOPLE, rung } from "./escalations";

/** docs/contract/escalate.md */
describe("call-escalate", () => {
  const { held, flow, dialled, answers, untilDialled } = incidents();
  const untilWaiting = (count: number) =>
    until(() => tenantOf("t1").client?.lanes.waiting.callOut === count, `${count} calls wait`);
  const deploy = (more?: Record<string, unknown>, tenant = {}) => load(flow(tenant, escalate(more)));

  it("calls one after the other, round after round, and sends the first message to the second output", async () => {
    await deploy({ rounds: "2" });
    const before = Date.now();
    give(incident("k", PEOPLE.slice(0, 2)));
    const { at, message } = await ending();
    strictEqual(at, "nobody");
    deepStrictEqual(dialled(), ["0000000000", "0000000001", "0000000000", "0000000001"]);
    const { payload, telephony, kept, _msgid } = message;
    deepStrictEqual([kept, telephony], ["yes", { action: "call-escalate", mode: "live" }]);
    ok(_msgid);
    deepStrictEqual(rung(message), ["1 A applied", "1 B applied", "2 A applied", "2 B applied"]);
    deepStrictEqual(Object.keys(payload), ["key", "acknowledgedBy", "rung", "startedAt", "endedAt"]);
    deepStrictEqual(Object.keys(payload.rung[0]), ["number", "name", "at", "outcome", "code", "round"]);
    deepStrictEqual([payload.key, payload.acknowledgedBy, payload.rung[1].number], ["k", null, "0000000001"]);
    const instants = [payload.startedAt, ...payload.rung.map((one: { at: string }) => one.at), payload.endedAt];
    for (const [index, at] of instants.entries()) ok(index === 0 || instants[index - 1] <= at, `${instants}`);
    ok(Date.parse(payload.startedAt) >= before - 1);
    await until(() => seen.completed.length === 1, "completed");
  });

  it("reads an acknowledgement with a name or without one, and an end, which goes before it", () => {
    for (const [message, resolution] of [
      [{ acknowledge: "  Jane\nDoe " }, { type: "acknowledged", by: "Jane Doe" }],
      ...[true, "true", 1, "on"].map((acknowledge) => [{ acknowledge }, { type: "acknowledged", by: true }] as const),
      ...[true, "on", 1].map((over) => [{ over, acknowledge: "Ali" }, { type: "over" }] as const),
      ...[false, "", null, "false", 0].map((none) => [{ acknowledge: none, over: none }, undefined] as const),
    ] as const)
      deepStrictEqual(resolutionOf(message), resolution, JSON.stringify(message));
  });

  it("takes no notice of a message whose key runs, and ends at the first output with the first message", async () => {
    await deploy({ ringFor: "3600" });
    give(incident());
    give(incident("k", "no list"));
    await untilDialled(1);
    acknowledge(true, "another");
    give(incident());
    await until(() => seen.completed.length === 3, "they are completed");
    strictEqual(seen.out.length + seen.closed.length + seen.caught.length, 0);
    acknowledge("Jane");
    const { at, message } = await ending();
    deepStrictEqual([at, message.payload.acknowledgedBy, message["kept"]], ["acknowledged", "Jane", "yes"]);
    await until(() => seen.completed.length === 5, "all are completed");
    deepStrictEqual([dialled(), rung(message)], [["0000000000"], ["1 A applied"]]);
  });

  it("runs several incidents at once, and one anew once it has ended, or right behind a message that fails", async () => {
    await deploy({ ringFor: "3600", quietFor: "0" });
    give(incident("one", "no list"));
    for (const key of ["one", "two"]) give(incident(key));
    await untilDialled(2);
    strictEqual((await ending()).at, "caught");
    clear();
    acknowledge("a", "one");
    await ending();
    clear();
    give(incident("one"));
    await untilDialled(3);
    acknowledge("b", "two");
    strictEqual((await ending()).message.payload.key, "two");
  });

  it("reads the fields for each person, and leaves the message as it is", async () => {
    const texts = [{ action: "talk", text: "{{person.name}} of {{person.team}}", textType: "mustache" }];
    await deploy({
      actions: texts,
      actionsType: "list",
      answerUrl: "",
      fromAlias: "{{person.name}}",
      fromAliasType: "mustache",
    });
    const people = [
      { number: "0000000000", name: "Ổi", team: "one" },
      { number: "12", name: "B", team: "two", type: "internal" },
    ];
    answers({ "0000000000": { status: 422, body: {} } });
    give(incident("k", JSON.stringify(people)));
    const { message } = await ending();
    deepStrictEqual(rung(message), ["1 Ổi rejected", "1 B applied"]);
    const calls = held.tenant.received
      .map(({ body }) => Object(body))
      .map((body) => [body["from.alias"], body["to.type"], body["to.number"], body["to.alias"], body.actions]);
    deepStrictEqual(calls, [
      ["Ổi", "external", "0000000000", undefined, [{ action: "talk", text: "Ổi of one" }]],
      ["B", "internal", "12", undefined, [{ action: "talk", text: "B of two" }]],
    ]);
    ok(!("person" in message));
  });

  it("calls the others if entries of the list are wrong: a row and a warning each, in the first round alone", async () => {
    await deploy({ rounds: "2" });
    const long = "n".repeat(41);
    const wrong = [
      { name: "Ben", number: "" },
      { number: null },
      "n/a",
      { number: "12", type: "queue" },
      { number: long },
    ];
    give(incident("k", [PEOPLE[0], ...wrong, { name: "Dan\nDesk", number: "0000000001" }]));
    const { message } = await ending();
    deepStrictEqual(dialled(), ["0000000000", "0000000001", "0000000000", "0000000001"]);
    const rows = message.payload.rung.map((row: Record<string, unknown>) => {
      ok(Date.parse(String(row["at"])) >= Date.parse(message.payload.startedAt));
      return [row["name"], row["number"], row["outcome"], row["code"], row["round"]];
    });
    const [left, called] = [["not-applied", "ERR_INPUT", 1], (round: number) => ["applied", "", round]] as const;
    deepStrictEqual(rows, [
      ["Ben", "", ...left],
      [null, "", ...left],
      [null, "n/a", ...left],
      [null, "12", ...left],
      [null, long.slice(0, 40), ...left],
      ...[1, 2].flatMap((round) => [
        ["A", "0000000000", ...called(round)],
        ["Dan Desk", "0000000001", ...called(round)],
      ]),
    ]);
    strictEqual(warnings().filter((line) => line.includes("personLeftOut")).length, wrong.length);
  });

  it("cuts a text over its limit at a word, with one warning", async () => {
    await deploy({
      actions: [{ action: "talk", text: "{{payload.text}}", textType: "mustache" }],
      actionsType: "list",
    });
    const words = "disk ".repeat(5000);
    give({ payload: { ...incident("k").payload, text: words } });
    await ending();
    const said = held.tenant.received.map(({ body }) => Object(body).actions?.[0].text);
    // The 4,000th word ends at the limit, with the blank behind it.
    deepStrictEqual([...new Set(said)], [words.slice(0, 19_999)]);
    strictEqual(warnings().filter((line) => line.includes("textCut")).length, 1);
  });

  describe("fails before anybody is called with", () => {
    const number = (index: number) => `people[${index}].number`;
    const large = Array(14).fill({ action: "talk", text: "x".repeat(20_000) });
    const mapped = { actions: "payload.actions", actionsType: "msg" };
    const named = { fromAlias: "{{person.name}}", fromAliasType: "mustache" };
    for (const [what, message, field, more = named] of [
      ["no people", incident("k", []), "people"],
      ["no list", incident("k", "x"), "people"],
      ["no number", incident("k", [{ name: "B" }]), number(0)],
      ["only numbers that are none", incident("k", [{ number: { a: 1 } }, { number: "n/a" }]), number(0)],
      ["an unknown type", incident("k", [{ number: "1", type: "queue" }]), "people[0].type"],
      ["more than 100 people", incident("k", Array(101).fill(PEOPLE[0])), "people"],
      ["no text for one of them", incident("k", [{ ...PEOPLE[0], name: "A" }, { number: "1" }]), "from.alias"],
      ["a call that is too large", { payload: { ...incident().payload, actions: large } }, "actions", mapped],
      ["no key", { payload: { people: PEOPLE } }, "key"],
      ["an acknowledgement without a key", { payload: {}, acknowledge: true }, "key"],
      ["an acknowledgement that is none", { ...incident(), acknowledge: {} }, "acknowledge"],
      ["an end that is none", { ...incident(), over: "resolved" }, "over"],
    ] as const)
      it(what, async () => {
        await deploy(more);
        const { code, cause } = await fail(message);
        deepStrictEqual([code, cause.field, cause.outcome, cause.rung], ["ERR_INPUT", field, "not-applied", []]);
        deepStrictEqual(dialled(), []);
      });

    for (const settings of [{ ringFor: "0" }, { rounds: "21" }, { rounds: "1.5" }, { quietFor: "86401" }])
      it(`${JSON.stringify(settings)}`, async () => {
        await deploy(settings);
        const { code, cause } = await fail(incident());
        deepStrictEqual([code, cause.rung], ["ERR_CONFIG", []]);
      });
  });

  describe("fails, red, when no call was accepted", () => {
    for (const [code, reply, tenant] of [
      ["ERR_AUTH", { status: 403, body: {} }, {}],
      ["ERR_REJECTED", { body: { success: false, code: 402, message: "no credit" } }, {}],
      ["ERR_REDIRECT", { status: 302, headers: { location: "/" }, body: {} }, {}],
      ["ERR_BLOCKED", {}, { block: ["*"] }],
      ["ERR_SERVER", { status: 500, body: {} }, {}],
    ] as const)
      it(`with ${code}`, async () => {
        await deploy({ ringFor: "1" }, tenant);
        const statuses = statusesOf("n1");
        held.tenant.answers(() => reply);
        const { code: found, cause } = await fail(incident("k", PEOPLE.slice(0, 2)));
        const outcome = code === "ERR_SERVER" ? "unknown" : "not-applied";
        deepStrictEqual([found, cause.outcome], [code, outcome]);
        await until(() => statuses.at(-1)?.fill === "red", "the status is red");
        const rung = cause.rung.map((call: Record<string, unknown>) => `${call["name"]} ${call["code"]}`);
        deepStrictEqual(rung, [`A ${code}`, `B ${code}`]);
        ok(!String(cause).includes("0000000001"), "no number where it may be logged");
      });

    it("but not when one was, and what is refused is in the report", async () => {
      await deploy({ ringFor: "1" });
      answers({ "0000000001": { status: 403, body: {} }, "0000000002": { status: 400, body: {} } });
      give(incident());
      const { at, message } = await ending();
      const codes = message.payload.rung.map(({ code }: { code: string }) => code);
      deepStrictEqual([at, codes], ["nobody", ["", "ERR_AUTH", "ERR_REJECTED"]]);
    });

    it("although there are many people with long texts", async () => {
      await deploy({ fromAlias: "{{person.name}}", fromAliasType: "mustache" });
      held.tenant.answers(() => ({ status: 400, body: {} }));
      const people = Array.from({ length: 100 }, (_, n) => ({ number: `0000000${100 + n}`, name: "x".repeat(4000) }));
      strictEqual((await fail(incident("k", people))).cause.rung.length, 100);
    });
  });

  for (const onTrouble of ["wait", "fail"])
    it(`waits for the service, with onTrouble "${onTrouble}", and uses up no turn`, async () => {
      await deploy({}, { onTrouble });
      const statuses = statusesOf("n1");
      const refusals: Reply[] = [
        { status: 429, body: {} },
        { status: 401, body: {} },
      ];
      held.tenant.answers((request) =>
        request.method === "POST" ? (refusals.shift() ?? {}) : serving(() => [])(request),
      );
      give(incident("k", PEOPLE.slice(0, 2)));
      await until(() => statuses.some(({ text }) => text?.includes("trouble.since")), "it shows why the call waits");
      const { at, message } = await ending();
      deepStrictEqual([at, rung(message)], ["nobody", ["1 A applied", "1 B applied"]]);
      deepStrictEqual(dialled(), ["0000000000", "0000000000", "0000000000", "0000000001"]);
    });

  it("calls an external number once a round, however often and in whichever spelling it stands in the list", async () => {
    await deploy({}, { country: "VN" });
    held.tenant.answers(() => ({ status: 400, body: {} }));
    const numbers = ["0901234567", "+84 90 1234567", "0084901234567", "0901234568", "tel:0901234568", "*77", "* 7 7"];
    // An extension may be another telephone, and a user has no number.
    const others = ["0901234567 ext 1", "0901234567 ext 2"];
    const people = [...numbers, ...others].map((number) => ({ number }));
    const users = [{ number: "12" }, { number: "12", type: "internal" }, { number: "12", type: "internal" }];
    const { cause } = await fail(incident("k", [...people, ...users]));
    strictEqual(cause.rung[0].name, null);
    deepStrictEqual(dialled(), ["0901234567", "0901234568", "*77", ...others, "12", "12", "12"]);
  });

  it("begins again with a message right behind an end, also while a call of the incident is placed", async () => {
    await deploy({ ringFor: "3600" });
    for (const message of [incident(), { ...incident(), over: true }, incident()]) give(message);
    strictEqual((await ending()).message.payload.over, true);
    clear();
    acknowledge("Jane");
    strictEqual((await ending()).message.payload.acknowledgedBy, "Jane");
  });

  it("does not make a call that waits when it is acknowledged, and does not list it", async () => {
    await deploy({ ringFor: "3600" }, { rate: "0.01" });
    give(incident("first"));
    await untilDialled(1);
    give(incident());
    await untilWaiting(1);
    acknowledge();
    const { at, message } = await ending();
    deepStrictEqual([at, rung(message)], ["acknowledged", []]);
    await untilWaiting(0);
    deepStrictEqual(dialled(), ["0000000000"]);
  });

  it("is not held by a pause, nor dropped, nor limited or counted by its number", async () => {
    const people = [{ number: "1000000000", name: "A" }];
    const more = { perNumber: "1", backlog: "1", rate: "1" };
    await load(flow(more, escalate({ ringFor: "3600" }), callOut({ id: "n3" }), CONTROL));
    give({ payload: "pause" }, "k1");
    for (const number of ["1000000000", "1000000001"]) give({ payload: number }, "n3");
    await until(() => seen.caught.length === 1, "the backlog is full");
    strictEqual(seen.caught.splice(0)[0]?.["error"].code, "ERR_BACKLOG_FULL");
    for (const key of ["one", "two"]) give(incident(key, people));
    await untilDialled(1);
    give({ payload: "drop" }, "k1");
    await until(() => seen.caught.length === 1, "the other call is dropped");
    await untilDialled(2);
    deepStrictEqual(dialled(), ["1000000000", "1000000000"]);
    give({ payload: "resume" }, "k1");
    give({ payload: "1000000000" }, "n3");
    await untilDialled(3);
  });

  it("shows how far it has come, without numbers, and how it ended", async () => {
    await deploy({ ringFor: "3600" });
    const statuses = statusesOf("n1");
    give(incident());
    await until(() => statuses.some(({ text }) => text === "ringing"), "it shows whom it calls");
    give(incident("two"));
    await until(() => statuses.some(({ text }) => text === "ringingSeveral"), "it shows both");
    acknowledge(true, "two");
    acknowledge();
    await until(() => statuses.at(-1)?.text === "acknowledged", "it shows the end");
    deepStrictEqual([statuses.at(-1)?.fill, statuses.at(-1)?.shape], ["green", "dot"]);
    for (const { text } of statuses) match(String(text), /^[a-zA-Z]+$/);
  });
});
