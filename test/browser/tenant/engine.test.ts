import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { Editor, launch } from "../../support/browser/editor";
import { flowOf, SANDBOX } from "../../support/browser/flows";
import { NodeRed } from "../../support/browser/node-red";
import { eventually } from "../../support/process/eventually";

const LIVE = { id: "tenant-2", type: "telephony-tenant", name: "Acme", mode: "live", url: "https://acme.example.com" };
const IOREDIS = [{ module: "ioredis@^6", var: "ioredis" }];
const NOT_INSTALLED = { externalModules: { modules: { allowInstall: false } } };
const STOP = { id: "stop", type: "call-stop" };

const input = (property: string) => `#node-config-input-${property}`;

async function isRunning(nodeRed: NodeRed, tenant: string): Promise<boolean> {
  const answer = await fetch(`${nodeRed.url}/telephony/tenant/${tenant}/control`);
  return ((await answer.json()) as { ok: boolean }).ok;
}

describe("The place of waiting calls in the tenant's dialog", () => {
  let browser: Browser;
  let nodeRed: NodeRed;
  let editor: Editor;
  const hint = async () => (await editor.page.textContent("#telephony-hint-engine")) ?? "";
  const choose = (property: string, value: string) => editor.page.selectOption(input(property), value);
  const isVisible = (property: string) => editor.page.isVisible(input(property));
  const reason = async () => (await editor.page.textContent("#telephony-redisUrl-problem")) ?? "";
  const openFolds = () => editor.page.evaluate("$('.red-ui-tray details').prop('open', true)");

  before(async function () {
    this.timeout(60_000);
    browser = await launch();
    nodeRed = await NodeRed.start(flowOf([STOP], [SANDBOX, LIVE]));
    editor = await Editor.open(browser, nodeRed);
  });
  after(async () => {
    await browser?.close();
    await nodeRed?.stop();
  });
  afterEach(() => assert.deepEqual(editor.complaints, []));

  it("says what each choice promises, and asks for Redis only where it is chosen", async () => {
    await editor.edit("tenant-2");
    await openFolds();
    assert.equal(await editor.page.inputValue(input("engine")), "");
    for (const [engine, promise, asks] of [
      ["", /survive a crash.*memory only, and the log says so/, false],
      ["memory", /lost when Node-RED ends/, false],
      ["file", /survive a crash.*every call fails/, false],
      ["redis", /Several Node-REDs share/, true],
    ] as const) {
      await choose("engine", engine);
      assert.match(await hint(), promise);
      assert.deepEqual([await isVisible("redisUrl"), await isVisible("group")], [asks, asks], engine);
    }
    await editor.cancel();
  });

  it("says of simulated calls that they wait in memory, and keeps the choice for live ones", async () => {
    await editor.edit("tenant-2");
    await openFolds();
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
    await openFolds();
    await choose("engine", "redis");
    await editor.page.waitForSelector(`${input("redisUrl")}.input-error`);
    assert.match(await reason(), /address of Redis is missing/);
    for (const [url, isWrong] of [
      ["redis.example.com", true],
      ["redis://a,b", true],
      ["redis://:secret@redis.example.com:6379/1", false],
      ["redis+sentinel://a.example.com,b.example.com/main", false],
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

  it("lets Node-RED install ioredis for Redis, and for nothing else", async () => {
    const save = async (changes: Readonly<Record<string, string>>) => {
      await editor.edit("tenant-2");
      await openFolds();
      for (const [property, value] of Object.entries(changes)) await choose(property, value);
      await editor.page.fill(input("token"), "t");
      await editor.page.locator(input("redisUrl")).evaluate((element, value) => {
        (element as unknown as { value: string }).value = value;
      }, "redis://:canary-of-redis@127.0.0.1:1");
      await editor.done();
      return editor.property("tenant-2", "modules");
    };
    const none = (modules: unknown) => assert.deepEqual(modules ?? [], []);
    none(await save({ engine: "file" }));
    assert.deepEqual(await save({ engine: "redis" }), IOREDIS);
    assert.deepEqual((await editor.written("tenant-2"))["modules"], IOREDIS);
    none(await save({ mode: "log" }));
    assert.deepEqual(await save({ mode: "live" }), IOREDIS);
    none(await save({ engine: "memory" }));
    const flows = JSON.stringify(await editor.deploy());
    assert.doesNotMatch(flows, /canary-of-redis/);
    assert.match(await readFile(join(nodeRed.userDir, "flows_cred.json"), "utf8"), /canary-of-redis/);
    assert.equal(await isRunning(nodeRed, "tenant-2"), true);
  });
});

describe("A Node-RED that may not install modules", () => {
  it("starts its flows nevertheless: the tenant's dialog asks for none", async function () {
    this.timeout(60_000);
    const shared = { ...LIVE, engine: "redis", modules: IOREDIS };
    const nodeRed = await NodeRed.start(flowOf([STOP], [SANDBOX, shared]), NOT_INSTALLED);
    const browser = await launch();
    try {
      assert.equal(await isRunning(nodeRed, "tenant-1"), false);
      const editor = await Editor.open(browser, nodeRed);
      // Node-RED's notice that a module is missing covers the button.
      await editor.page.locator(".red-ui-notification button").last().click();
      await editor.edit("tenant-2");
      await editor.page.fill(input("redisUrl"), "redis://127.0.0.1:1");
      await editor.done();
      assert.deepEqual(await editor.property("tenant-2", "modules"), []);
      await editor.deploy();
      await eventually(async () => (await isRunning(nodeRed, "tenant-1")) || undefined);
    } finally {
      await browser.close();
      await nodeRed.stop();
    }
  });
});
