import { strict as assert } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { eventually } from "../../support/process/eventually";
import { ask, sandboxForEach } from "../../unit/sandbox/visit";
import { callOut, control, visitor } from "./visitor";

describe("The controls of the sandbox's page", () => {
  const sandbox = sandboxForEach();
  const here = visitor();
  const fold = (title: string) => here().page.locator("summary", { hasText: title }).click();
  const settings = () => sandbox().state.settings;
  /** Types into a field and leaves it, so that it is sent. Resolves once that is answered: a later one could overtake it. */
  const enter = async (label: string, value: string) => {
    const field = here().page.getByLabel(label, { exact: true });
    await field.fill(value);
    await Promise.all([here().page.waitForResponse("**/sandbox/settings"), field.blur()]);
  };
  const until = (isSo: () => boolean) => eventually(() => isSo() || undefined);

  beforeEach(async () => {
    await here().page.setViewportSize({ width: 700, height: 900 });
    await here().open(sandbox());
    await here().page.getByRole("tab", { name: "More" }).click();
  });

  it("set ring time, phones and allowed hosts", async () => {
    await fold("Phones");
    for (const [label, value] of [
      ["Ring time in seconds", "7"],
      ["Phones by number", "*02 declines\n*41: 401\n*29 429 30\n7 never answers"],
      ["Answers", "50"],
      ["Never answers", "20"],
      ["Seed", "9"],
      ["Allowed hosts", "flows.example.com, 192.168.0.7:1880"],
    ] as const)
      await enter(label, value);
    const wanted = {
      answers: "everybody",
      phones: {
        "7": "never answers",
        "*02": "declines",
        "*41": { status: 401 },
        "*29": { status: 429, retryAfter: 30 },
      },
      mix: { answers: 0.5, declines: 0, "never answers": 0.2 },
      seed: 9,
      ringSeconds: 7,
      hosts: ["flows.example.com", "192.168.0.7:1880"],
      incoming: undefined,
    };
    assert.deepEqual({ ...settings(), incoming: undefined }, wanted);
  });

  it("say why a setting is refused, and keep what is in force", async () => {
    await fold("Phones");
    const { page } = here();
    await enter("Answers", "60");
    assert.equal(settings().mix.answers, 0.6);
    await enter("Declines", "50");
    await page.getByRole("alert").getByText("The mix must be at most 1 together.").waitFor();
    for (const [label, text] of [
      ["Ring time in seconds", "9999"],
      ["Phones by number", "*02 dances"],
    ] as const)
      await enter(label, text);
    await page
      .locator(".row", { hasText: "Phones by number" })
      .getByRole("alert")
      .getByText("must be one of")
      .waitFor();
    await page.locator(".row", { hasText: "Ring time in seconds" }).getByRole("alert").getByText("must be").waitFor();
    assert.equal(settings().mix.declines, 0);
    await enter("Answers", "40");
    assert.equal(settings().mix.declines, 0.5);
  });

  it("forget what was refused, once they are reset", async () => {
    await fold("Phones");
    const { page } = here();
    await enter("Declines", "120");
    const refusal = page.getByRole("alert").getByText("mix");
    await refusal.waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await fold("Clear and reset");
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await refusal.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Declines").inputValue(), "0");
    await enter("Answers", "40");
    assert.equal(settings().mix.answers, 0.4);
  });

  it("show who answers, also where it was changed twice before they saw it", async () => {
    const { page } = here();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/sandbox/view?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel("Nobody").check();
    await until(() => settings().answers === "nobody");
    await control(sandbox(), "settings", { answers: "everybody" });
    assert.equal(await page.getByLabel("Nobody").isChecked(), true);
    release();
    await here().sees(`document.querySelector(".answers input").checked`);
  });

  it("show which schedules are open now", async () => {
    const day = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", weekday: "short" });
    const later = day.format(Date.now() + 3 * 86_400_000).toLowerCase();
    const days = [{ day: later, open: "08:00", close: "09:00" }];
    await ask(sandbox(), "POST", "/api/v1/setting/business-hour", { name: "Later", days });
    await fold("Schedules");
    for (const [name, state] of [
      ["Later", "closed now"],
      ["Support", "open now"],
    ] as const)
      await here().page.locator(".week", { hasText: name }).getByText(state).waitFor();
  });

  it("show hours over midnight on both days", async () => {
    const days = [{ day: "sun", open: "22:00", close: "02:00" }];
    await ask(sandbox(), "POST", "/api/v1/setting/business-hour", { name: "Night", days });
    await fold("Schedules");
    const week = here().page.locator(".week", { hasText: "Night" });
    await week.waitFor();
    const hours = await week.locator("td").allTextContents();
    assert.deepEqual(hours, ["00:00–02:00", ...Array(5).fill("closed"), "22:00–24:00"]);
  });

  it("list what the sandbox assumes, folded", async () => {
    const panel = here().page.locator("details", { hasText: "Assumptions" }).last();
    assert.equal(await panel.locator("li").first().isVisible(), false);
    await panel.locator("summary").click();
    const texts = await panel.locator("li").allTextContents();
    for (const subject of [/requested once by GET/, /Every phone rings/, /hangs up/, /loop/])
      assert.ok(
        texts.some((text) => subject.test(text)),
        `${subject}`,
      );
  });

  it("make a call that comes in, and show what the webhook answered", async () => {
    const got: { body: string; secret: unknown }[] = [];
    const webhook = createServer((request, response) => {
      const secret = request.headers["x-secret"];
      void text(request).then((body) => {
        got.push({ body, secret });
        response.end("thank you");
      });
    });
    webhook.listen(0, "127.0.0.1");
    await once(webhook, "listening");
    const { page } = here();
    await fold("Incoming call");
    await page.getByText("the service's events are not documented").waitFor();
    await page
      .getByLabel("Address of your webhook")
      .fill(`http://127.0.0.1:${(webhook.address() as AddressInfo).port}/in`);
    await page.getByLabel("Caller").fill("0901");
    await page.getByLabel("Body (JSON)").fill('{"who": "{{from}}", "call": "{{callId}}"}');
    await page.getByLabel("Headers").fill("x-secret: open sesame");
    await page.getByRole("button", { name: "☎ Call" }).click();
    await page.getByText("thank you").waitFor();
    webhook.close();
    assert.deepEqual(got, [{ body: '{"who": "0901", "call": "sandbox-1"}', secret: "open sesame" }]);
    await page.getByRole("tab", { name: "Calls" }).click();
    await page.locator('[data-call="sandbox-1"] .badge', { hasText: "incoming" }).waitFor();
    assert.equal(settings().incoming.from, "0901");
  });

  it("offer the address of a flow only where nothing was typed", async () => {
    const { page } = here();
    let release = () => {};
    await page.route("**/box{,/**}", async (route) => {
      const url = route.request().url();
      if (!url.endsWith("/webhooks")) return route.continue({ url: url.replace("/box", "/sandbox") });
      await new Promise<void>((resolve) => (release = resolve));
      return route.fulfill({ json: ["http://127.0.0.1:1880/ring"] });
    });
    const address = page.getByLabel("Address of your webhook");
    for (const [typed, shown] of [
      ["http://127.0.0.1:1881/mine", "http://127.0.0.1:1881/mine"],
      ["", "http://127.0.0.1:1880/ring"],
    ] as const) {
      await page.goto(`${sandbox().url}/box`);
      await page.getByRole("tab", { name: "More" }).click();
      const asked = page.waitForRequest("**/webhooks");
      await fold("Incoming call");
      await asked;
      await address.pressSequentially(typed);
      release();
      await page.locator("#field-webhook-list option").waitFor({ state: "attached" });
      assert.equal(await address.inputValue(), shown);
    }
  });

  it("keep what was chosen while an older view arrives", async () => {
    const { page } = here();
    let release = () => {};
    await page.route("**/sandbox/settings", async (route) => {
      await new Promise<void>((resolve) => (release = resolve));
      return route.continue();
    });
    await page.getByLabel("Nobody").click();
    await callOut(sandbox());
    await page.locator("#calls-tab", { hasText: "1" }).waitFor();
    assert.equal(await page.getByLabel("Nobody").isChecked(), true);
    release();
    await until(() => settings().answers === "nobody");
  });

  it("ask before they clear or reset", async () => {
    await callOut(sandbox());
    await fold("Clear and reset");
    const { page } = here();
    const asked: string[] = [];
    let isSure = false;
    page.on("dialog", (dialog) => {
      asked.push(dialog.message());
      void (isSure ? dialog.accept() : dialog.dismiss());
    });
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    assert.equal(sandbox().state.calls.newest().length, 1);
    isSure = true;
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await until(() => sandbox().state.calls.newest().length === 0);
    await page.getByLabel("Nobody").check();
    await until(() => settings().answers === "nobody");
    await page.getByRole("button", { name: "Reset", exact: true }).click();
    await until(() => settings().answers === "everybody");
    const clear = "Forget all calls and requests?";
    assert.deepEqual(asked, [clear, clear, "Forget everything, also settings and schedules?"]);
  });

  it("are behind a tab, and who answers is one line, in a sidebar", async () => {
    const { page } = here();
    await page.setViewportSize({ width: 320, height: 700 });
    await callOut(sandbox());
    await page.getByRole("tab", { name: "More" }).press("ArrowRight");
    const call = page.locator('[data-call="sandbox-1"]');
    await call.waitFor();
    const { y = 999 } = (await call.boundingBox()) ?? {};
    assert.ok(y < 100, `the first call is ${y} px down`);
  });

  it("show the request behind a button as a command", async () => {
    const { page } = here();
    await fold("Phones");
    await enter("Seed", "9");
    const panel = page.locator(".panel", { has: page.locator("summary", { hasText: "Phones" }) });
    await panel.locator("summary", { hasText: "curl" }).click();
    assert.equal(
      (await panel.locator(".command").textContent())?.replaceAll(/\s*\\\n\s*/g, " "),
      `curl ${sandbox().url}/sandbox/settings -H 'content-type: application/json' -d '{"seed":9}'`,
    );
  });
});
