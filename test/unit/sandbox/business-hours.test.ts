import assert from "node:assert/strict";
import type { Schedule } from "../../../src/sandbox/service/schedules";
import { accepts, ask, ok, refuses, sandboxForEach } from "./visit";

const hours = "/api/v1/setting/business-hour";
const monday = [{ day: "mon", open: "08:00", close: "17:30" }];

interface PagedList {
  data: Schedule[];
  [field: string]: unknown;
}

describe("sandbox: business hours", () => {
  const sandbox = sandboxForEach();
  const create = (body: object) => accepts<Schedule>(sandbox(), "POST", hours, body);

  it("starts with an office and a round-the-clock support", async () => {
    const { data, ...page } = await accepts<PagedList>(sandbox(), "GET", hours);
    const address = sandbox().url + hours;
    assert.deepEqual(page, {
      current_page: 1,
      first_page_url: `${address}?page=1`,
      from: 1,
      last_page: 1,
      last_page_url: `${address}?page=1`,
      next_page_url: null,
      path: address,
      per_page: 20,
      prev_page_url: null,
      to: 2,
      total: 2,
    });
    assert.deepEqual(
      data.map(({ id, name, enable }) => [id, name, enable]),
      [
        [1, "Office", 1],
        [2, "Support 24/7", 1],
      ],
    );
    const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const [office, support] = data;
    assert.deepEqual(office?.days.slice(0, 2), [
      { day: "mon", open: "08:00:00", close: "12:00:00" },
      { day: "mon", open: "13:00:00", close: "17:30:00" },
    ]);
    assert.deepEqual(
      support?.days,
      week.map((day) => ({ day, open: "00:00:00", close: "23:59:00" })),
    );
  });

  it("creates one, answers without days and with a boolean, reads it with days and a number", async () => {
    const days = [...monday, { day: "sun", open: "22:00", close: "02:05" }];
    const { created_at, updated_at, ...rest } = await create({ name: "Night", days });
    assert.deepEqual(rest, { name: "Night", enable: true, id: 3 });
    assert.deepEqual(await accepts(sandbox(), "GET", `${hours}/3`), {
      id: 3,
      name: "Night",
      enable: 1,
      provider_business_hour_id: null,
      created_at,
      updated_at,
      days: [
        { day: "mon", open: "08:00:00", close: "17:30:00" },
        { day: "sun", open: "22:00:00", close: "02:05:00" },
      ],
    });
  });

  it("creates one that is switched off", async () => {
    assert.equal((await create({ name: "Off", enabled: false, days: monday })).enable, false);
    assert.equal((await accepts<Schedule>(sandbox(), "GET", `${hours}/3`)).enable, 0);
  });

  it("deletes with code 0 and never gives an id twice", async () => {
    await create({ name: "Third", days: monday });
    const { status, json } = await ask(sandbox(), "DELETE", `${hours}/3`);
    assert.equal(status, 200);
    assert.deepEqual(json, ok(null, 0));
    for (const method of ["GET", "DELETE"])
      await refuses(sandbox(), 404, "The business hour 3 does not exist.", method, `${hours}/3`);
    assert.equal((await create({ name: "Fourth", days: monday })).id, 4);
  });

  it("refuses more than its memory has room for", async () => {
    const days = Array.from({ length: 100_000 }, () => ({ day: "mon", open: "08:00:00", close: "09:00:00" }));
    for (let id = 3; id <= 6; id++) sandbox().state.schedules.add("One of many", true, days);
    const sentence = "The sandbox has no memory left for business hours; delete some first.";
    await refuses(sandbox(), 422, sentence, "POST", hours, { name: "One too many", days: monday });
  });

  const entry = "The days.0";
  const badBodies: [body: object, message: string][] = [
    [{}, "The name field is required. The days field is required."],
    [{ name: 5, days: monday }, "The name field must be a string."],
    [{ name: "X", days: [] }, "The days field must have at least one entry."],
    [{ name: "X", days: { mon: [] } }, "The days field must be an array."],
    [{ name: "X", days: monday, enabled: "true" }, "The enabled field must be true or false."],
    [{ name: "X", days: monday, enabled: 1 }, "The enabled field must be true or false."],
    [
      { name: "X", days: [{ day: "monday", open: "08:00", close: "09:00" }] },
      `${entry}.day field must be one of mon, tue, wed, thu, fri, sat, sun.`,
    ],
    [{ name: "X", days: [{ day: "mon", close: "09:00" }] }, `${entry}.open field is required.`],
    ...["8:00", "08:00:00", "24:00", "08:60", "0800", "08:00 "].map((open): [object, string] => [
      { name: "X", days: [{ day: "mon", open, close: "09:00" }] },
      `${entry}.open field must be a time in the format H:i, such as 08:30.`,
    ]),
  ];
  for (const [body, message] of badBodies) {
    it(`refuses ${JSON.stringify(body)}`, async () => {
      await refuses(sandbox(), 422, message, "POST", hours, body);
      assert.equal((await ask(sandbox(), "GET", `${hours}/3`)).status, 404);
    });
  }
});

describe("sandbox: a list of 45 business hours", () => {
  const sandbox = sandboxForEach();

  beforeEach(async () => {
    for (let id = 3; id <= 45; id++) await ask(sandbox(), "POST", hours, { name: `Branch ${id}`, days: monday });
  });

  const list = (query: string) => accepts<PagedList>(sandbox(), "GET", hours + query);

  async function follow(address: unknown): Promise<PagedList> {
    const { pathname, search, origin } = new URL(String(address));
    assert.equal(origin, sandbox().url);
    assert.equal(pathname, hours);
    return list(search);
  }

  function ids({ data }: PagedList): number[] {
    return data.map(({ id }) => id);
  }

  function span(first: number, last: number): number[] {
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  it("is returned in pages of 20, each with the address of the next", async () => {
    const first = await list("");
    assert.deepEqual([first["from"], first["to"], first["total"], first["last_page"]], [1, 20, 45, 3]);
    assert.deepEqual(ids(first), span(1, 20));
    assert.equal(first["prev_page_url"], null);
    assert.equal(first["next_page_url"], `${sandbox().url}${hours}?page=2`);

    const second = await follow(first["next_page_url"]);
    assert.deepEqual(ids(second), span(21, 40));
    assert.deepEqual([second["current_page"], second["from"], second["to"]], [2, 21, 40]);
    assert.equal(second["prev_page_url"], first["first_page_url"]);

    const third = await follow(second["next_page_url"]);
    assert.deepEqual(ids(third), span(41, 45));
    assert.equal(third["next_page_url"], null);
    assert.equal(first["last_page_url"], `${sandbox().url}${hours}?page=3`);
  });

  it("accepts a limit, and keeps it in the page addresses", async () => {
    const first = await list("?limit=30");
    assert.deepEqual([first["per_page"], first["last_page"], ids(first).length], [30, 2, 30]);
    const second = await follow(first["next_page_url"]);
    assert.deepEqual(ids(second), span(31, 45));
    assert.equal(new URL(String(second["first_page_url"])).searchParams.get("page"), "1");
  });

  it("has an empty page past the last", async () => {
    const page = await list("?page=4");
    assert.deepEqual(page.data, []);
    assert.deepEqual([page["current_page"], page["from"], page["to"], page["total"]], [4, null, null, 45]);
    assert.equal(page["next_page_url"], null);
  });

  it("searches a part of the name, whatever its case", async () => {
    const page = await list("?search=BRANCH%204");
    assert.deepEqual(ids(page), [4, ...span(40, 45)]);
    assert.equal(page["total"], 7);
    assert.equal((await list("?search=nothing+like+it"))["last_page"], 1);
    assert.deepEqual(ids(await list("?search=nothing+like+it")), []);
    assert.equal((await list("?search="))["total"], 45);
  });

  it("sorts in ascending and descending order", async () => {
    for (const up of ["true", "1"]) assert.deepEqual(ids(await list(`?asc=${up}&limit=3`)), [1, 2, 3]);
    for (const down of ["false", "0"]) assert.deepEqual(ids(await list(`?asc=${down}&limit=3`)), [45, 44, 43]);
  });

  const badQueries = [
    ["?limit=0", "The limit field must be a whole number from 1."],
    ["?limit=many", "The limit field must be a whole number from 1."],
    ["?page=-1", "The page field must be a whole number from 1."],
    ["?asc=yes", "The asc field must be one of true, false, 1, 0."],
  ] as const;
  for (const [query, message] of badQueries)
    it(`refuses ${query}`, () => refuses(sandbox(), 422, message, "GET", hours + query));
});
