import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { asConfigError, parseAddress, readSettings, readToken } from "../../../src/client";
import { ValueError } from "../../../src/fields";
import { isLoopback } from "../../../src/json/rules";

const ACME = { url: "https://acme.example.com" };
const read = (more: Record<string, unknown>) => readSettings({ ...ACME, ...more }, "secret");
const refuses = (field: string) => (error: unknown) => {
  const { code, details } = asConfigError(error);
  return error instanceof ValueError && code === "ERR_CONFIG" && details.field === field;
};

describe("settings of a tenant", () => {
  it("stand without a word but address and token", () => {
    deepStrictEqual(readSettings(ACME, "secret"), {
      mode: "live",
      address: { origin: "https://acme.example.com", prefix: "", hostname: "acme.example.com", loopback: false },
      token: "secret",
      authHeader: "Authentication",
      partyFields: "auto",
      fromNumber: undefined,
      fromAlias: undefined,
      timezone: "",
      timeoutMs: 30_000,
      concurrency: 8,
      rate: 0,
      backlog: 10_000,
      engine: "",
      group: "",
      redisUrl: "",
      onTrouble: "wait",
      waitAtMostMs: 900_000,
      callingSchedule: "",
      country: "",
      perNumber: 0,
      perNumberMs: 86_400_000,
      sandboxPort: 0,
      sandboxParties: "either",
      sandboxBooleans: "either",
    });
  });

  it("take the empty texts that an editor saves for not given", () => {
    const blank = {
      mode: "",
      authHeader: "",
      partyFields: "",
      fromNumber: "",
      fromAlias: "",
      timezone: "",
      timeout: "",
      concurrency: "",
      rate: "",
      backlog: "",
      engine: "",
      group: "",
      onTrouble: "",
      waitAtMost: "",
      sandboxPort: "",
      tls: "",
      proxy: "",
    };
    deepStrictEqual(read(blank), read({}));
  });

  it("need neither address nor token for a sandbox, both for the log", () => {
    strictEqual(readSettings({ mode: "sandbox" }, undefined).mode, "sandbox");
    throws(() => readSettings({ mode: "log" }, "secret"), refuses("url"));
    throws(() => readSettings({ mode: "log", ...ACME }, undefined), refuses("token"));
  });

  const RANGES: readonly [
    property: string,
    setting: string,
    good: readonly unknown[],
    values: readonly unknown[],
    bad: readonly unknown[],
  ][] = [
    [
      "timeout",
      "timeoutMs",
      [1, "600", "2.5"],
      [1000, 600_000, 2500],
      [0, 0.5, 601, "soon", true, {}, "1e9", Number.NaN],
    ],
    ["concurrency", "concurrency", [1, "256"], [1, 256], [0, 257, 1.5, "many"]],
    ["rate", "rate", [0, "0.2", 1000], [0, 0.2, 1000], [-0.1, 1001, "fast", Number.POSITIVE_INFINITY]],
    ["backlog", "backlog", [0, "1000000"], [0, 1_000_000], [-1, 1_000_001, 0.5]],
    ["sandboxPort", "sandboxPort", ["4010", 65_535], [4010, 65_535], [-1, 65_536, 80.5]],
  ];
  for (const [property, setting, good, values, bad] of RANGES) {
    it(`read ${property}, as number or text, in its range only`, () => {
      deepStrictEqual(
        good.map((value) => read({ [property]: value })[setting as "rate"]),
        values,
      );
      for (const value of bad) throws(() => read({ [property]: value }), refuses(property), String(value));
    });
  }

  const REFUSED: readonly [property: string, ...values: unknown[]][] = [
    ["mode", "test"],
    ["partyFields", "flat"],
    ["onTrouble", "retry"],
    ["fromNumber", "${TELEPHONY_NOT_SET}"],
    ["fromAlias", "Acme ${TELEPHONY_NOT_SET}"],
    ["timeout", "${TELEPHONY_NOT_SET}"],
    ["timeout", "$(TELEPHONY_NOT_SET)"],
    ["perNumber", "1.5", 101],
    ["perNumberHours", "0", 8785],
  ];
  for (const [property, ...values] of REFUSED)
    it(`refuse another ${property}, or one from the environment that is not set`, () => {
      for (const value of values)
        throws(() => read({ perNumber: 1, [property]: value }), refuses(property), String(value));
    });

  it("take a header's name for the token, but none that HTTP needs itself", () => {
    for (const name of ["Authorization", "X-Api-Key", "authentication", "x!#$%&'*+-.^_`|~9"])
      strictEqual(read({ authHeader: name }).authHeader, name);
    const reserved = ["host", "Content-Length", "content-type", "Transfer-Encoding", "CONNECTION", "Accept"];
    for (const name of [...reserved, "two words", "a:b", "ümlaut", "a\nb"])
      throws(() => read({ authHeader: name }), refuses("authHeader"), name);
  });

  it("know the zones of the time zone database", () => {
    strictEqual(read({ timezone: "Asia/Ho_Chi_Minh" }).timezone, "Asia/Ho_Chi_Minh");
    for (const zone of ["Asia/Saigon City", "Mars/Olympus"])
      throws(() => read({ timezone: zone }), refuses("timezone"), zone);
  });

  it("keep a hotline as it was written", () => {
    const { fromNumber, fromAlias } = read({ fromNumber: " 0901234567 ", fromAlias: "Hotline" });
    deepStrictEqual([fromNumber, fromAlias], ["0901234567", "Hotline"]);
  });
});

describe("where the calls of a tenant wait", () => {
  const REDIS = "redis://:secret@redis.example.com";

  it("is known by its name, and refused by another one", () => {
    for (const engine of ["", "memory", "file"] as const) strictEqual(read({ engine }).engine, engine);
    throws(() => read({ engine: "disk" }), refuses("engine"));
    strictEqual(read({ group: " campaign " }).group, "campaign");
    throws(() => read({ group: "${GROUP}" }), refuses("group"));
  });

  it("needs the address of Redis there, and only there", () => {
    const { engine, redisUrl } = readSettings({ ...ACME, engine: "redis" }, "secret", ` ${REDIS} `);
    deepStrictEqual([engine, redisUrl], ["redis", REDIS]);
    for (const url of [undefined, "", "redis.example.com", "${REDIS_URL}"])
      throws(() => readSettings({ ...ACME, engine: "redis" }, "secret", url), refuses("redisUrl"), String(url));
    for (const more of [{ engine: "file" }, { engine: "redis", mode: "log" }, { engine: "redis", mode: "sandbox" }])
      strictEqual(readSettings({ ...ACME, ...more }, "secret", "nonsense").redisUrl, "", JSON.stringify(more));
  });
});

describe("address of a tenant", () => {
  const GOOD: readonly [text: string, origin: string, prefix: string][] = [
    ["https://acme.example.com", "https://acme.example.com", ""],
    ["https://acme.example.com/", "https://acme.example.com", ""],
    ["https://acme.example.com/api/v1", "https://acme.example.com", ""],
    ["https://acme.example.com/api/v1///", "https://acme.example.com", ""],
    ["https://acme.example.com:8443/pbx/", "https://acme.example.com:8443", "/pbx"],
    ["https://acme.example.com/pbx/api/v1/", "https://acme.example.com", "/pbx"],
    ["HTTPS://ACME.example.COM:443/Pbx", "https://acme.example.com", "/Pbx"],
    ["http://localhost:4010", "http://localhost:4010", ""],
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010", ""],
    ["http://127.9.8.7", "http://127.9.8.7", ""],
    ["http://127.1", "http://127.0.0.1", ""],
    ["http://[::1]:4010", "http://[::1]:4010", ""],
  ];
  for (const [text, origin, prefix] of GOOD) {
    it(`reads ${text}`, () => {
      const address = parseAddress(text);
      deepStrictEqual([address.origin, address.prefix], [origin, prefix]);
    });
  }

  const BAD = [
    "",
    "acme.example.com",
    "ftp://acme.example.com",
    "javascript:alert(1)",
    "https://",
    "http://acme.example.com",
    "http://acme.example.com:8080",
    "http://192.168.1.5",
    "https://user@acme.example.com",
    "https://user:secret@acme.example.com",
    "https://acme.example.com?tenant=1",
    "https://acme.example.com/#top",
    "https://acme.example.com?",
    "https://acme.example.com#",
    "http://localhost.evil.com",
    "http://127.0.0.1.nip.io",
    "http://[::ffff:7f00:1]",
    "http://[::ffff:127.0.0.1]",
    "http://localhost.",
    "http://localhost@evil.com",
    "http://0.0.0.0",
  ];
  for (const text of BAD)
    it(`refuses ${text || "an empty one"}`, () => throws(() => parseAddress(text), refuses("url")));

  it("is loopback for exactly three spellings", () => {
    const hosts = [
      "localhost",
      "127.0.0.1",
      "127.255.255.254",
      "[::1]",
      "128.0.0.1",
      "localhost.",
      "localhost.evil.com",
      "127.0.0.1.nip.io",
    ];
    deepStrictEqual(hosts.map(isLoopback), [true, true, true, true, false, false, false, false]);
  });

  it("names the environment value that is missing", () => {
    const names = (error: unknown) =>
      error instanceof ValueError && error.path === "url" && error.params["variable"] === "ACME_URL";
    for (const url of ["${ACME_URL}", "https://${ACME_URL}/pbx"]) throws(() => read({ url }), names);
  });
});

describe("token of a tenant", () => {
  it("sheds what was pasted around it", () => {
    for (const text of ["secret", "  secret\n", "Bearer secret", " bearer   secret "])
      strictEqual(readToken(text), "secret");
    strictEqual(readToken("x".repeat(4096)).length, 4096);
  });

  for (const text of [undefined, null, 5, "", "  ", "Bearer ", "se cret", "s\u00e9cret", "a\nb", "x".repeat(4097)]) {
    it(`is refused when it is ${String(text).slice(0, 10)}`, () => throws(() => readToken(text), refuses("token")));
  }

  it("names the environment value that is missing", () => {
    const names = (error: unknown) =>
      error instanceof ValueError && error.path === "token" && error.params["variable"] === "TOKEN";
    for (const text of ["${TOKEN}", "Bearer ${TOKEN}"]) throws(() => readToken(text), names);
  });
});
