import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Line, Preview } from "../../src/workshop/admin/preview/answer";
import { envelope, pageOf } from "../support/business-hours";
import { calendarServer, ics } from "../support/calendars/server";
import { NOTHING_WAITS } from "../support/counts";
import { LiveTenant } from "../support/live-tenant";
import { at, NodeRed } from "../support/process/node-red";
import { temporaryFolder, userFolder } from "../support/process/user-folder";
import { root } from "../support/root";
import { BUTTONS, GATE, GETS, POSTS, PREVIEWS } from "./admin-routes";

const TOKEN = "token-of-the-admin-test";
const LIST = envelope(pageOf([{ id: 5, name: "Office", enable: 1, days: [] }], 1, 1));

const certificate = (file: string) => join(root, "test/support/faults/certs", file);

/** The fifth requirement of docs/faults.md#security. */
describe("the admin routes", () => {
  let tenant: LiveTenant;
  let nodeRed: NodeRed;

  before(async () => {
    tenant = await LiveTenant.start();
    nodeRed = await NodeRed.start(await userFolder());
    await nodeRed.deploy([
      { id: "tab", type: "tab", label: "Admin", env: [{ name: "SECRET_OF_A_TAB", value: "7654321", type: "str" }] },
      {
        id: "tenant",
        type: "telephony-tenant",
        url: tenant.url,
        fromNumber: "0000000001",
        credentials: { token: TOKEN },
      },
      { id: "box", type: "telephony-tenant", mode: "sandbox" },
      { id: "broken", type: "telephony-tenant", url: "ftp://example.com", credentials: { token: TOKEN } },
      { id: "unpaired", type: "telephony-tenant", url: tenant.url, tls: "tls", credentials: { token: TOKEN } },
      { id: "tls", type: "tls-config", cert: certificate("good.pem"), key: certificate("expired.key.pem"), ca: "" },
      at("stop", "call-stop", { tenant: "tenant" }),
      at("gate", "business-hour-gate", { tenant: "box", scheduleName: "Support 24/7" }, [], []),
      { id: "sub", type: "subflow", name: "Sub", in: [], out: [] },
      { ...at("inside", "business-hour-gate", { source: "value" }, [], []), z: "sub" },
      at("instance", "subflow:sub", {}),
      ...["", "pause", "block", "unblock", "settle"].map((command) =>
        at(command || "any", "telephony-control", { tenant: "box", command }, []),
      ),
    ]);
  });
  beforeEach(() => {
    tenant.reset();
    tenant.answers(() => ({ body: LIST }));
  });
  after(() => {
    nodeRed?.kill();
    tenant?.stop();
  });

  const ask = async (path: string, body: unknown) => {
    const answer = await nodeRed.post(path, body, { origin: nodeRed.url });
    const text = await answer.text();
    assert.doesNotMatch(text, new RegExp(TOKEN));
    return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> };
  };

  /** The first line of an answer. */
  const lineOf = ({ lines }: Record<string, unknown>) => (lines as Line[])[0]?.text ?? "";

  for (const path of POSTS) {
    it(`POST ${path} refuses what nests too deeply, with a sentence`, async () => {
      const headers = { origin: nodeRed.url, "content-type": "application/json" };
      const body = `{"flows":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
      const answer = await fetch(nodeRed.url + path, { method: "POST", headers, body });
      assert.equal(answer.status, 400);
      assert.match(((await answer.json()) as { readonly message: string }).message, /200/);
    });

    it(`POST ${path} requires the editor's own origin and JSON`, async () => {
      for (const headers of [{}, { origin: "http://evil.example" }, { origin: "null" }]) {
        assert.equal((await nodeRed.post(path, {}, headers as Record<string, string>)).status, 403);
      }
      for (const site of ["cross-site", "same-site", "none"])
        assert.equal((await nodeRed.post(path, {}, { "sec-fetch-site": site })).status, 403);
      // Behind a reverse proxy that sets another Host, only this names the editor's own page.
      const proxied = { origin: "https://node-red.example", "sec-fetch-site": "same-origin" };
      assert.notEqual((await nodeRed.post(path, {}, proxied)).status, 403);
      const form = await fetch(nodeRed.url + path, {
        method: "POST",
        headers: { origin: nodeRed.url, "content-type": "application/x-www-form-urlencoded" },
        body: "id=tenant",
      });
      assert.equal(form.status, 415);
      assert.deepEqual(tenant.received, []);
    });
  }

  it("of a sandbox reject requests of other pages and of forms", async () => {
    const revision = async () =>
      ((await (await nodeRed.get("/telephony/sandbox/box/view")).json()) as { revision: number }).revision;
    const before = await revision();
    const body = { answers: "nobody", at: "2026-11-22T23:00:00Z", webhook: tenant.url, times: 9 };
    for (const path of BUTTONS) {
      await nodeRed.post(path, body, { origin: "http://evil.example" });
      await nodeRed.post(path, body, { "sec-fetch-site": "cross-site" });
      const headers = { origin: nodeRed.url, "content-type": "text/plain" };
      await fetch(nodeRed.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    }
    assert.equal(await revision(), before);
    assert.deepEqual(tenant.received, []);
  });

  it("of a sandbox do not exist for a live tenant", async () => {
    for (const path of BUTTONS) {
      const { status } = await nodeRed.post(path.replace("box", "tenant"), {}, { origin: nodeRed.url });
      assert.equal(status, 404, path);
    }
    assert.equal((await nodeRed.get("/telephony/sandbox/tenant/view")).status, 404);
    assert.deepEqual(tenant.received, []);
  });

  it("tests a deployed tenant with its own address and token, and ignores those of the request", async () => {
    const other = await LiveTenant.start();
    try {
      const { body } = await ask("/telephony/tenant/test", { id: "tenant", url: other.url });
      assert.match(lineOf(body), /^It works\. Schedules: 1, /);
      assert.equal(tenant.received[0]?.url, "/api/v1/setting/business-hour?limit=1");
      assert.equal(tenant.received[0]?.headers["authentication"], `Bearer ${TOKEN}`);
      assert.deepEqual(other.received, []);
    } finally {
      other.stop();
    }
  });

  it("tests an address and a token that are not deployed", async () => {
    tenant.answers(() => ({ body: envelope(pageOf([], 1, 1, { total: "<b>1</b>" })) }));
    const { body } = await ask("/telephony/tenant/test", { url: `${tenant.url}/api/v1/`, token: "Bearer typed-now" });
    assert.match(lineOf(body), /^It works\. Schedules: \?, /);
    assert.equal(tenant.received[0]?.headers["authentication"], "Bearer typed-now");
    for (const token of [undefined, "", "__PWRD__ with blanks", `\${${"HOME"}}`]) {
      const refused = await ask("/telephony/tenant/test", { url: tenant.url, token });
      assert.equal(refused.body["code"], "ERR_CONFIG");
    }
    assert.equal(tenant.received.length, 1);
  });

  it("reports a different code for each kind of failure", async () => {
    const code = async (body: unknown) => (await ask("/telephony/tenant/test", body)).body["code"];
    assert.equal(await code({ url: "https://no-such-host.invalid", token: "t" }), "ERR_DNS");
    assert.equal(await code({ url: "http://127.0.0.1:9", token: "t" }), "ERR_CONNECT");
    assert.equal(await code({ url: tenant.url.replace("http:", "https:"), token: "t" }), "ERR_TLS");
    const broken = await ask("/telephony/tenant/test", { id: "broken" });
    assert.deepEqual([broken.body["code"], broken.body["field"]], ["ERR_CONFIG", "url"]);
    const unpaired = await ask("/telephony/tenant/test", { id: "unpaired" });
    assert.deepEqual(
      [unpaired.body["code"], unpaired.body["field"], unpaired.body["key"]],
      ["ERR_CONFIG", "tls", "config.tlsPair"],
    );
    assert.match(String(unpaired.body["message"]), /certificate and the key .* do not belong together/);
    assert.match(nodeRed.log, /\[telephony-tenant:unpaired\] .* do not belong together/);
    assert.equal(await code({ id: "nobody" }), "ERR_CONFIG");
    tenant.answers(() => ({ status: 401, body: { success: false, message: "no" } }));
    assert.equal(await code({ id: "tenant" }), "ERR_AUTH");
    tenant.answers(() => ({ body: { hello: "world" } }));
    assert.match(lineOf((await ask("/telephony/tenant/test", { id: "tenant" })).body), /^There is no such service/);
  });

  it("lists the schedules of a deployed tenant by name", async () => {
    const answer = await nodeRed.get("/telephony/tenant/tenant/business-hours");
    assert.deepEqual(await answer.json(), { ok: true, schedules: [{ id: 5, name: "Office" }] });
    for (const [id, key] of [
      ["nobody", "config.notDeployed"],
      ["broken", "config.addressProtocol"],
    ]) {
      const refused = await nodeRed.get(`/telephony/tenant/${id}/business-hours`);
      const body = (await refused.json()) as Record<string, unknown>;
      assert.deepEqual([refused.status, body["ok"], body["key"]], [200, false, key]);
    }
  });

  /** Returns what the dialog of a node shows: each line, of a refusal its key and field. */
  const previewed = async (what: string, config: object, more: object = {}, path = "/telephony/preview") => {
    const reader = { language: "en-US", zone: "Asia/Tokyo", z: "tab" };
    const { body } = await ask(path, {
      what,
      config: { id: "tenant", tenant: "tenant", ...config },
      ...reader,
      ...more,
    });
    const { lines = [body as unknown as Line] } = body as unknown as Partial<Preview>;
    return lines.map(({ key, params = {}, text }: Line) => (key ? `${key} ${params["field"]}` : text)).join("\n");
  };

  for (const [what, config, more, expected] of PREVIEWS)
    it(`previews the ${what} of ${JSON.stringify(config).slice(0, 60)} ${JSON.stringify(more)}`, async () => {
      const found = await previewed(what, config, more);
      if (typeof expected === "string") assert.equal(found, expected);
      else assert.match(found, expected);
      assert.doesNotMatch(found, /7654321/);
      assert.deepEqual(tenant.received, []);
    });

  it("refuses to preview something else", async () => {
    for (const body of [{}, { what: "gate" }, { what: "constructor", config: {} }, { what: "guard", config: {} }])
      assert.equal((await nodeRed.post("/telephony/preview", body, { origin: nodeRed.url })).status, 400);
  });

  it("fetches the address of a calendar only where somebody may write", async () => {
    const server = await calendarServer(ics(["DTSTART;VALUE=DATE:20991225", "SUMMARY:Christmas"]));
    const of = (exceptions: string, path?: string) =>
      previewed("holidays", { id: "new", exceptions, exceptionsType: "url", timezone: "UTC" }, {}, path);
    const fetched = (exceptions: string) => of(exceptions, "/telephony/preview/fetch");
    try {
      const address = `${server.url}/a.ics`;
      const known = /^No holidays known: the last event of the calendar is on Fri 25 December 2099\. · fetched /;
      assert.match(await of(address), /known after you deploy/);
      assert.equal(server.requests.length, 0);
      // Further away than iCalendar text is resolved.
      assert.match(await fetched(address), known);
      assert.match(await of(address), known);
      assert.match(await fetched(`${server.url}/\${SECRET_OF_A_TAB}`), /known after you deploy/);
      assert.equal(await fetched("http://192.0.2.1/a.ics"), "input.hours.calendarAddress exceptions");
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        ["/a.ics"],
      );
    } finally {
      await server.stop();
    }
  });

  it("returns the metrics of all tenants as OpenMetrics text", async () => {
    const answer = await nodeRed.get("/telephony/metrics");
    assert.match(answer.headers.get("content-type") ?? "", /^application\/openmetrics-text;.*version=1\.0\.0/);
    const text = await answer.text();
    const labels = `tenant="${tenant.url}",id="tenant",mode="live",lane="callOut"`;
    assert.ok(text.includes(`\ntelephony_waiting{${labels}} 0\n`));
    assert.ok(text.endsWith("# EOF\n"));
    assert.doesNotMatch(text, new RegExp(TOKEN));
  });

  it("counts, pauses and resumes from the dialog", async () => {
    const path = "/telephony/tenant/tenant/control";
    const counts = (await (await nodeRed.get(path)).json()) as Record<string, unknown>;
    assert.deepEqual(counts, { ok: true, ...NOTHING_WAITS, zone: "", style: {} });
    const paused = (await ask(path, { command: "pause" })).body;
    assert.deepEqual(paused, { ...counts, paused: true });
    assert.equal((await ask(path, { command: "resume" })).body["paused"], false);
    assert.equal((await nodeRed.post(path, { command: "explode" }, { origin: nodeRed.url })).status, 400);
  });

  it("press the buttons of a gate and of a control node, but refuse a senseless end and other nodes", async () => {
    const press = (path: string, body: object) => nodeRed.post(path, body, { origin: nodeRed.url });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const end of [until, null]) {
      assert.deepEqual(await (await press(GATE, { until: end })).json(), { ok: true, until: end });
      assert.deepEqual(await (await nodeRed.get(GATE)).json(), { ok: true, until: end });
    }
    assert.deepEqual(await (await press(GATE, { until, state: "open" })).json(), { ok: true, until, state: "open" });
    assert.equal((await press(GATE, { until, state: "ajar" })).status, 400);
    for (const end of ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "tonight", 1, undefined])
      assert.equal((await press(GATE, { until: end })).status, 400, String(end));
    assert.equal((await press("/telephony/gate/pause/closing", { until: null })).status, 404);
    assert.equal((await press("/telephony/control/gate", {})).status, 404);
    assert.equal((await press("/telephony/control/pause", {})).status, 200);
    const { paused } = (await (await nodeRed.get("/telephony/tenant/box/control")).json()) as { paused: boolean };
    assert.equal(paused, true);
  });

  it("answer a press with what is missing where the command needs a message", async () => {
    for (const [id, field] of [
      ["any", "command"],
      ["block", "number"],
      ["unblock", "number"],
      ["settle", "id"],
    ]) {
      const { status, body } = await ask(`/telephony/control/${id}`, {});
      assert.deepEqual([status, body["ok"], body["code"], body["field"]], [200, false, "ERR_INPUT", field]);
    }
  });

  /** Starts Node-RED with users, and a sandbox that is deployed. */
  async function withUsers(others: string): Promise<NodeRed> {
    const folder = await userFolder();
    const settings = join(temporaryFolder(), "settings.js");
    writeFileSync(
      settings,
      `module.exports = { uiHost: "127.0.0.1", flowFile: "flows.json", credentialSecret: false,
        telemetry: { enabled: false, updateNotification: false },
        adminAuth: { type: "credentials", users: [{ username: "admin", password: "x", permissions: "*" }], ${others} } };`,
    );
    writeFileSync(
      join(folder, "flows.json"),
      JSON.stringify([{ id: "box", type: "telephony-tenant", mode: "sandbox" }]),
    );
    return NodeRed.start(folder, {}, "--settings", settings);
  }

  it("shows a sandbox to users with read permission, and lets them change nothing", async () => {
    const guarded = await withUsers('default: { permissions: "read" }');
    try {
      assert.equal((await guarded.get("/telephony/sandbox/box/view")).status, 200);
      for (const path of BUTTONS)
        assert.equal((await guarded.post(path, {}, { origin: guarded.url })).status, 401, path);
    } finally {
      guarded.kill();
    }
  });

  it("requires a permission on every route when Node-RED has users", async () => {
    // A user with some permission, but none of these.
    const guarded = await withUsers('default: { permissions: "library.read" }');
    try {
      for (const path of GETS) assert.equal((await guarded.get(path)).status, 401, path);
      for (const path of POSTS) {
        assert.equal((await guarded.post(path, {}, { origin: guarded.url })).status, 401, path);
      }
    } finally {
      guarded.kill();
    }
  });
});
