import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { flowWith, load, play, withTenant } from "../../support/stage";

describe("call-out", () => {
  const held = withTenant();
  const body = () => held.tenant.body();

  describe("the tenant's hotline", () => {
    const hotline = { fromNumber: "0000000001", fromAlias: "Hotline" };
    const called = { to: { number: "0000000000" }, answer_url: "https://a.example" };
    const TABLE: readonly [title: string, payload: Record<string, unknown>, expected: Record<string, unknown>][] = [
      ["stands in for what is not given", called, { "from.number": "0000000001", "from.alias": "Hotline" }],
      [
        "keeps a name of the call's own",
        { ...called, from: { alias: "Alarm" } },
        { "from.number": "0000000001", "from.alias": "Alarm" },
      ],
      [
        "gives way to a number of the call's own",
        { ...called, from: { number: "0000000002" } },
        { "from.number": "0000000002" },
      ],
      [
        "stands in for an empty number",
        { ...called, from: { number: "" } },
        { "from.number": "0000000001", "from.alias": "Hotline" },
      ],
    ];
    for (const [title, payload, expected] of TABLE) {
      it(title, async () => {
        await load(flowWith(held.tenant.url, { type: "call-out" }, hotline));
        const { caught } = await play({ payload });
        deepStrictEqual(caught, []);
        const from = Object.entries(body()).filter(([key]) => key === "from.number" || key === "from.alias");
        deepStrictEqual(Object.fromEntries(from), expected);
      });
    }
  });

  describe("rows of spoken actions from the dialog", () => {
    const parties = { from: { number: "0000000001" }, to: { number: "0000000000" } };
    const fresh = [{ action: "talk", text: "payload.text", textType: "msg" }];
    const run = async (rows: unknown, payload: object, more: object = {}) => {
      await load(flowWith(held.tenant.url, { type: "call-out", actions: rows, actionsType: "list" }));
      return play({ payload: { ...parties, ...payload }, ...more });
    };

    it("speak the text of the message", async () => {
      await run(fresh, { text: "Pump 3 stands still" });
      deepStrictEqual(body()["actions"], [{ action: "talk", text: "Pump 3 stands still" }]);
    });

    it("are left out where the text resolves to nothing and nothing else is said", async () => {
      const rows = [
        ...fresh,
        { action: "talk", text: "Hello", textType: "str", voice: "", speed: "", loop: "" },
        { action: "talk", text: "", textType: "msg" },
      ];
      await run(rows, { text: "" });
      deepStrictEqual(body()["actions"], [{ action: "talk", text: "Hello" }]);
    });

    it("carry further keys, which give way to what the row shows", async () => {
      const more = { url: "https://a.example/hello.mp3", more: 1, text: "not this", loop: 9 };
      const rows = [
        { action: "play", text: "Hello", textType: "str", loop: "2", more },
        { action: "wait", more: '{"seconds":5}', kept: true },
        { action: "talk", text: "payload.text", textType: "msg", more: { pause: 1 } },
        { action: "talk", text: "payload.text", textType: "msg", more: {} },
        { action: "talk", text: "payload.text", textType: "msg", more: " " },
      ];
      await run(rows, {});
      deepStrictEqual(body()["actions"], [
        { url: "https://a.example/hello.mp3", more: 1, text: "Hello", loop: "2", action: "play" },
        { seconds: 5, action: "wait", kept: true },
        { pause: 1, action: "talk" },
      ]);
    });

    for (const more of ["{", "[]", 7, [1], { n: 2 ** 60 }])
      it(`refuse further keys that are ${JSON.stringify(more)}`, async () => {
        const { caught } = await run([{ action: "talk", text: "Hello", textType: "str", more }], {});
        const { field } = caught[0]?.["error"].cause ?? {};
        strictEqual(field, typeof more === "object" && "n" in more ? "actions[0].n" : "actions[0].more");
        strictEqual(held.tenant.received.length, 0);
      });

    it("leave the call to its answer address when none is left", async () => {
      await run(fresh, { answer_url: "https://a.example" });
      strictEqual("actions" in body(), false);
      strictEqual(body()["answer_url"], "https://a.example");
    });

    it("place no call when none is left and there is no answer address", async () => {
      const { caught } = await run(fresh, {});
      deepStrictEqual([caught[0]?.["error"].cause.field, held.tenant.received.length], ["actions", 0]);
    });

    it("say that the text is in JSON that nobody has parsed", async () => {
      const to = { toNumber: "0901234567", toNumberType: "str", fromNumber: "9", fromNumberType: "str" };
      await load(flowWith(held.tenant.url, { type: "call-out", ...to, actions: fresh, actionsType: "list" }));
      const { caught } = await play({ payload: '{"text":"Pump 3 stands still"}' });
      match(String(caught[0]?.["error"].message), /payloadIsText/);
    });

    for (const [what, rows, source] of [
      ["a message", fresh, "msg.payload.text"],
      ["a message, after a row that is empty", [{ action: "talk", text: "" }, ...fresh], "msg.payload.text"],
      ["an expression", [{ action: "talk", text: "payload.text", textType: "jsonata" }], "a JSONata expression"],
      [
        "an environment value",
        [{ action: "talk", text: "TELEPHONY_NOT_SET", textType: "env" }],
        "env.TELEPHONY_NOT_SET",
      ],
      ["no row at all", [], "the dialog"],
    ] as const) {
      it(`say where nothing was found: ${what}`, async () => {
        const { caught } = await run(rows, {});
        const { code, cause } = caught[0]?.["error"] ?? {};
        deepStrictEqual([code, cause.field, cause.source], ["ERR_INPUT", "actions", source]);
      });
    }

    it("take a text of every kind", async () => {
      const rows = [
        { action: "talk", text: "{{payload.name}} is down", textType: "mustache" },
        { action: "talk", text: '"Pump " & payload.id', textType: "jsonata" },
        { action: "talk", text: "topic", textType: "msg" },
        { action: "talk", text: "as it is" },
        { action: "talk", text: "the same", textType: "" },
      ];
      await run(rows, { name: "Pump", id: 3 }, { topic: "alarm" });
      deepStrictEqual(body()["actions"], [
        { action: "talk", text: "Pump is down" },
        { action: "talk", text: "Pump 3" },
        { action: "talk", text: "alarm" },
        { action: "talk", text: "as it is" },
        { action: "talk", text: "the same" },
      ]);
    });

    const WRONG: readonly [title: string, row: Record<string, unknown>, field: string, source: string][] = [
      ["a speed that is no number", { action: "talk", text: "x", speed: "fast" }, "actions[1].speed", "the dialog"],
      [
        "a text that is an object",
        { action: "talk", text: "payload.to", textType: "msg" },
        "actions[1].text",
        "msg.payload.to",
      ],
    ];
    for (const [title, row, field, source] of WRONG) {
      it(`refuse ${title}, named as the dialog shows it`, async () => {
        // The row before it is left out and must not shift the count.
        const { caught } = await run([...fresh, row], {});
        const { cause } = caught[0]?.["error"] ?? {};
        deepStrictEqual([cause?.field, cause?.source, held.tenant.received.length], [field, source, 0]);
      });
    }
  });
});
