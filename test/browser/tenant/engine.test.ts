import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { RedisServer } from "../../support/backlog/redis-server";
import { flowOf, configInput as input, LIVE, SANDBOX } from "../../support/browser/flows";
import { withEditor } from "../../support/browser/with-editor";
import { LiveTenant } from "../../support/live-tenant";

const STOP = { id: "stop", type: "call-stop" };

describe("The place of waiting calls in the tenant's dialog", () => {
  const editor = withEditor(flowOf([STOP], [SANDBOX, LIVE]));
  const hint = async () => (await editor.page.textContent("#telephony-hint-engine")) ?? "";
  const choose = (property: string, value: string) => editor.page.selectOption(input(property), value);
  const isVisible = (property: string) => editor.page.isVisible(input(property));
  const reason = async () => (await editor.page.textContent("#telephony-redisUrl-problem")) ?? "";

  it("explains each choice, and asks for the address of Redis only if it is chosen", async () => {
    await editor.edit("tenant-2");
    await editor.unfold();
    assert.equal(await editor.page.inputValue(input("engine")), "");
    for (const [engine, promise, asks] of [
      ["", /survive a crash.*memory only, and the log says so/, false],
      ["memory", /lost when Node-RED ends/, false],
      ["file", /survive a crash.*every call fails/, false],
      ["redis", /Several Node-REDs share.*“npm install ioredis” in Node-RED's user folder/, true],
    ] as const) {
      await choose("engine", engine);
      assert.match(await hint(), promise);
      assert.deepEqual([await isVisible("redisUrl"), await isVisible("group")], [asks, asks], engine);
    }
    await editor.cancel();
  });

  it("shows that simulated calls wait in memory, and keeps the choice for live ones", async () => {
    await editor.edit("tenant-2");
    await editor.unfold();
    await choose("engine", "redis");
    for (const mode of ["sandbox", "log"]) {
      await choose("mode", mode);
      assert.match(await hint(), /^In sandbox and log-only mode, calls always wait in memory\.$/);
      for (const property of ["engine", "redisUrl", "group"])
        assert.equal(await isVisible(property), false, `${mode} ${property}`);
    }
    await choose("mode", "live");
    assert.equal(await editor.page.inputValue(input("engine")), "redis");
    assert.equal(await isVisible("redisUrl"), true);
    await editor.cancel();
  });

  it("is red with its reason without a usable address of Redis, and only then", async () => {
    const isRed = () => editor.page.locator(`${input("redisUrl")}.input-error`).count();
    await editor.edit("tenant-2");
    await editor.page.fill(input("token"), "t");
    assert.deepEqual([await isRed(), await reason()], [0, ""]);
    await editor.unfold();
    await choose("engine", "redis");
    await editor.page.waitForSelector(`${input("redisUrl")}.input-error`);
    assert.match(await reason(), /Wrong Redis address: it is missing/);
    for (const [url, isWrong] of [
      ["redis.example.com", true],
      ["redis://:secret@redis.example.com:6379/1", false],
      ["${REDIS_URL}", false],
    ] as const) {
      await editor.page.fill(input("redisUrl"), url);
      await editor.page.keyboard.press("Tab");
      assert.equal((await isRed()) > 0, isWrong, url);
      assert.equal((await reason()) !== "", isWrong, url);
    }
    await editor.page.fill(input("redisUrl"), "");
    await choose("engine", "file");
    assert.deepEqual([await isRed(), await reason()], [0, ""]);
    await editor.cancel();
  });

  it("keeps the address of Redis with the credentials", async () => {
    await editor.edit("tenant-2");
    await editor.unfold();
    await choose("engine", "redis");
    await editor.page.fill(input("token"), "t");
    await editor.page.fill(input("redisUrl"), "redis://:canary-of-redis@127.0.0.1:1");
    await editor.done();
    assert.doesNotMatch(JSON.stringify(await editor.deploy()), /canary-of-redis/);
    assert.match(await readFile(join(editor.nodeRed.userDir, "flows_cred.json"), "utf8"), /canary-of-redis/);
  });
});

describe("Test connection, of the place of waiting calls", () => {
  let tenant: LiveTenant;
  let redis: RedisServer;
  const test = async (result: RegExp) => {
    await editor.page.click("#telephony-test");
    await editor.shows("#telephony-test-result", result);
  };
  const isWrong = () => editor.page.locator("#telephony-test-result.telephony-problem").count();

  const ids = ["tenant-3", "tenant-4"];
  const editor = withEditor(async () => {
    tenant = await LiveTenant.start();
    const data = { current_page: 1, data: [], last_page: 1, per_page: 1, total: 7, from: 1, to: 1 };
    tenant.answers(() => ({ body: { success: true, code: 200, locale: "en", message: "OK", data } }));
    redis = await RedisServer.start();
    await redis.command("CONFIG", "SET", "requirepass", "secret");
    const deployed = { ...LIVE, url: tenant.url, credentials: { token: "t" } };
    const kinds = ["", "memory"].map((engine, index) => ({ ...deployed, id: ids[index], engine }));
    return flowOf([STOP], [SANDBOX, ...kinds]);
  });
  before(async () => {
    for (const id of ids) {
      await editor.edit(id);
      await editor.page.fill(input("token"), "t");
      await editor.done();
    }
    await editor.deploy();
  });
  after(async () => {
    await redis?.kill();
    tenant?.stop();
  });

  it("connects to a typed Redis once, and shows its durability or the error", async () => {
    await editor.edit("tenant-3");
    await editor.unfold();
    await editor.page.selectOption(input("engine"), "redis");
    await test(/^ Wrong Redis address: it is missing/);
    for (const [url, result, wrong] of [
      [`redis://:secret@127.0.0.1:${redis.port}`, /It works\..* kept in Redis\. It writes each change to disk/, 0],
      [`redis://:wrong@127.0.0.1:${redis.port}`, /It works\..* Redis refused: .*WRONGPASS/, 1],
      ["redis://127.0.0.1:1", /It works\..* cannot be kept now \(connect ECONNREFUSED 127\.0\.0\.1:1\)/, 1],
      ["${REDIS_URL}", /^ Deploy first/, 0],
    ] as const) {
      await editor.page.fill(input("redisUrl"), url);
      assert.equal(await editor.page.textContent("#telephony-test-result"), "");
      await test(result);
      assert.equal(await isWrong(), wrong, url);
    }
    await editor.cancel();
  });

  it("also shows that restored calls wait", async () => {
    const route = "**/telephony/tenant/tenant-4/control";
    const state = (text: RegExp) => editor.shows("#telephony-state", text);
    let more: object = { paused: true, restored: 3 };
    await editor.page.route(route, async (asked) => {
      const counts = (await (await asked.fetch()).json()) as object;
      await asked.fulfill({ json: { ...counts, waiting: { callOut: 5, other: 0 }, ...more } });
    });
    await editor.edit("tenant-4");
    await state(
      /paused · 5 waiting · 3 from before the restart · 0 in flight · They wait until you resume or drop them\.$/,
    );
    more = { paused: false, restored: 3 };
    await editor.page.click("#telephony-count");
    await state(/^5 waiting · 3 from before the restart · 0 in flight$/);
    more = { paused: true };
    await editor.page.click("#telephony-count");
    await state(/^paused · 5 waiting · 0 in flight$/);
    await editor.page.unroute(route);
    await editor.cancel();
  });
});
