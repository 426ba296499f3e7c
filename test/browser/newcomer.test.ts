import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { withEditor } from "../support/browser/with-editor";
import { calendarServer, ics } from "../support/calendars/server";
import { eventually } from "../support/process/eventually";

/** An order as a shop posts it, in its own words. */
const ORDER = { orderId: "A-17", customer: { phone: "0900000001" }, message: "Your order is ready." };

const EMPTY = [{ id: "flow", type: "tab", label: "Flow" }];

describe("A newcomer with an empty flow", () => {
  const editor = withEditor(EMPTY);
  let presses = 0;

  const press = async (what: Locator) => {
    presses += 1;
    await what.click();
    await editor.settled();
  };
  /** Opens a menu, and chooses in it. */
  const choose = async (menu: string, option: string) => {
    presses += 2;
    const isTyped = await editor.page.locator(`${menu}.red-ui-typedInput`).count();
    if (isTyped > 0) await editor.choose(menu, option);
    else await editor.page.selectOption(menu, option);
  };
  const drag = async (...way: Parameters<typeof editor.drag>) => {
    presses += 1;
    await editor.drag(...way);
  };
  const open = async (label: string) => {
    presses += 1;
    await editor.open(label);
  };
  const enter = async (input: string, text: string) => {
    await press(editor.page.locator(`${input}, ${input} + .red-ui-typedInput-container input`).locator("visible=true"));
    await editor.page.keyboard.press("ControlOrMeta+A");
    await editor.page.keyboard.type(text);
  };
  const done = () => press(editor.page.locator("#node-dialog-ok"));
  const deploy = () => press(editor.page.locator("#red-ui-header-button-deploy"));
  /** Resolves once the deploy is there. */
  const deployed = (type: string) =>
    eventually(async () => (await editor.nodeRed.flows()).find((each) => each["type"] === type));
  const palette = (type: string) => editor.page.locator(`[data-palette-type="${type}"]`);
  /** Draws a button, the reader of a file and a list's node. */
  const readInto = async (file: string) => {
    await drag(palette("inject"), [380, 200]);
    await drag(palette("file in"), [560, 200]);
    await drag(palette("call-list"), [560, 320]);
    await drag(editor.port("timestamp", "output"), editor.port("read file", "input"));
    await drag(editor.port("read file", "output"), editor.port("call list", "input"));
    await open("read file");
    await enter("#node-input-filename", file);
    await done();
  };
  const button = (name: string) => editor.page.getByRole("button", { name });

  beforeEach(async () => {
    presses = 0;
    // An editor that has just been told of a deploy may draw once more, and drop what one drags.
    await editor.page.evaluate("startedRevisions.clear()");
    const answer = await editor.nodeRed.post("/flows", { flows: EMPTY }, { "Node-RED-API-Version": "v2" });
    const { rev } = (await answer.json()) as { rev: string };
    await editor.page.waitForFunction(`startedRevisions.has("${rev}")`);
    // Node-RED keeps here what the test before searched for in the palette.
    await editor.page.evaluate("localStorage.clear()");
    await editor.reload();
  });

  it("calls the customers of a shop that posts its orders with at most 28 presses", async () => {
    const { page } = editor;
    await press(page.locator("#red-ui-palette-search input"));
    await page.keyboard.type("telephony");
    await page.locator('[data-palette-type="inject"]').waitFor({ state: "hidden" });
    await drag(page.locator('[data-palette-type="telephony-webhook"]'), [420, 200]);
    await drag(page.locator('[data-palette-type="call-out"]'), [640, 200]);
    await drag(editor.port("webhook", "output"), editor.port("call out", "input"));

    await open("webhook");
    await enter("#node-input-path", "shop/orders");
    await press(button("Make a secret"));
    const secret = await page.inputValue("#node-input-secret");
    await press(page.locator("#node-dialog-ok"));

    await open("call out");
    await press(page.locator("#node-input-btn-tenant-add"));
    await press(page.locator("#node-config-dialog-ok"));
    await enter("#node-input-toNumber", "payload.customer.phone");
    await enter(".telephony-spoken-text", "payload.message");
    await enter("#node-input-onceKey", "payload.orderId");
    await press(page.locator("#node-dialog-ok"));
    await press(page.locator("#red-ui-header-button-deploy"));

    const flows = await eventually(async () => {
      const all = await editor.nodeRed.flows();
      return all.length > 1 ? all : undefined;
    });
    assert.ok(secret.length > 20 && !JSON.stringify(flows).includes(secret));
    const tenant = flows.find(({ type }) => type === "telephony-tenant");
    for (const told of [{ accepted: true }, { accepted: true, repeated: true }]) {
      const answer = await eventually(async () => {
        const each = await editor.nodeRed.post("/shop/orders", ORDER, { "x-call-secret": secret });
        return each.status === 404 ? undefined : each;
      });
      assert.deepEqual([answer.status, await answer.json()], [200, told]);
    }
    const { url } = editor.nodeRed;
    const calls = await (await fetch(`${url}/telephony/sandbox/${String(tenant?.["id"])}/calls`)).json();
    assert.deepEqual(
      (calls as { to: { number: string }; actions: { text: string }[] }[]).map(({ to, actions }) => [
        to.number,
        actions[0]?.text,
      ]),
      [["0900000001", "Your order is ready."]],
    );
    assert.ok(presses <= 28, `${presses} presses`);
  });

  it("is closed on the holidays at an address with at most 13 presses", async () => {
    const server = await calendarServer(ics(["DTSTART;VALUE=DATE:20991225", "SUMMARY:Christmas"]));
    try {
      await drag(editor.page.locator('[data-palette-type="business-hour-gate"]'), [420, 200]);
      await open("open?");
      await choose("#telephony-hours", "none");
      await choose("#telephony-exceptions", "url");
      await enter("#telephony-exceptions", `${server.url}/holidays.ics`);
      await done();
      await deploy();
      const { exceptions, exceptionsType, schedule } = await deployed("business-hour-gate");
      assert.deepEqual([exceptions, exceptionsType, schedule], [`${server.url}/holidays.ics`, "url", ""]);
      await editor.shows(".red-ui-flow-node-status-label", /^open until|^open/);
      assert.ok(presses <= 13, `${presses} presses`);
    } finally {
      await server.stop();
    }
  });

  it("tells a fixed number the hours in Vietnamese with at most 20 presses", async () => {
    await drag(palette("inject"), [380, 200]);
    await drag(palette("business-hour-gate"), [560, 200]);
    await drag(editor.port("timestamp", "output"), editor.port("open?", "input"));
    await open("open?");
    await press(editor.page.locator("#node-input-btn-tenant-add"));
    await press(editor.page.locator("#node-config-dialog-ok"));
    presses += 1;
    await press((await editor.schedules("#node-input-scheduleName")).filter({ hasText: "Support" }));
    await press(editor.page.locator(".telephony-fold summary"));
    await choose("#node-input-language", "vi");
    await done();
    await drag(palette("call-out"), [800, 200]);
    for (const output of [0, 1])
      await drag(editor.port("open?", "output").nth(output), editor.port("call out", "input"));
    await open("call out");
    await enter("#node-input-toNumber", "0900000001");
    await enter(".telephony-spoken-text", "businessHour.sentence");
    await done();
    await deploy();
    const [tenant, inject] = [await deployed("telephony-tenant"), await deployed("inject")];
    await editor.nodeRed.press(String(inject["id"]));
    await eventually(async () => {
      const answer = await fetch(`${editor.nodeRed.url}/telephony/sandbox/${String(tenant["id"])}/calls`);
      return /"number":"0900000001".*Chúng tôi/.test(await answer.text()) || undefined;
    });
    assert.ok(presses <= 20, `${presses} presses`);
  });

  it("calls the people in a file from a spreadsheet with at most 20 presses", async () => {
    const { page } = editor;
    const file = join(editor.nodeRed.userDir, "customers.csv");
    await writeFile(file, "\uFEFFFull name;Mobile phone\r\nAda Lovelace;0900000001\r\n");
    const look = async () => {
      const chooser = page.waitForEvent("filechooser");
      await press(button("Choose a file"));
      presses += 1;
      await (await chooser).setFiles(file);
    };
    const deployAll = async () => {
      await deploy();
      await editor.deploy();
      await page.locator("#red-ui-full-shade").waitFor({ state: "hidden" });
    };
    await readInto(file);
    await open("call list");
    await editor.shows("#telephony-looked", "Deploy first");
    await press(page.locator("#node-input-btn-tenant-add"));
    await press(page.locator("#node-config-dialog-ok"));
    await done();
    await deployAll();
    await open("call list");
    await look();
    await press(page.locator(".telephony-row:has(#node-input-toNumber)").getByRole("button", { name: "Mobile phone" }));
    await press(page.locator("#telephony-actions-list").getByRole("button", { name: "Full name" }));
    await done();
    await deployAll();
    const tenant = await deployed("telephony-tenant");
    await editor.nodeRed.press(String((await deployed("inject"))["id"]));
    await eventually(async () => {
      const answer = await fetch(`${editor.nodeRed.url}/telephony/sandbox/${String(tenant["id"])}/calls`);
      return /"number":"0900000001".*Ada Lovelace/.test(await answer.text()) || undefined;
    });
    assert.ok(presses <= 20, `${presses} presses`);
  });

  it("has a campaign with numbers that are never called, a rate, hours and a file of results with at most 28 presses", async () => {
    const { page } = editor;
    const { userDir, url } = editor.nodeRed;
    const [file, results] = [join(userDir, "campaign.csv"), join(userDir, "results.csv")];
    await writeFile(file, "Full name;Mobile phone\r\nAda Lovelace;0900000001\r\nAlan Turing;0900000002\r\n");
    await readInto(file);
    await drag(palette("file"), [800, 320]);
    await drag(editor.port("call list", "output").nth(1), editor.port("write file", "input"));
    await open("call list");
    await press(page.locator("#node-input-btn-tenant-add"));
    const folds = page.locator("#node-config-dialog-edit-form summary, .telephony-fold summary");
    await press(folds.filter({ hasText: "Traffic" }));
    await enter("#node-config-input-rate", "10");
    await press(folds.filter({ hasText: "Guard" }));
    await press(page.locator("#telephony-block-list .red-ui-editableList-addButton"));
    await enter("#telephony-block-list input", "0900000002");
    presses += 1;
    await press((await editor.schedules("#node-config-input-callingHours")).filter({ hasText: "Support" }));
    await press(page.locator("#node-config-dialog-ok"));
    await enter("#node-input-toNumber", "payload.Mobile phone");
    await enter(".telephony-spoken-text", "payload.Full name");
    await done();
    await open("write file");
    await enter("#node-input-filename", results);
    await done();
    await deploy();
    const tenant = await deployed("telephony-tenant");
    assert.deepEqual([tenant["rate"], tenant["block"], tenant["callingHours"]], ["10", ["0900000002"], "Support 24/7"]);
    assert.ok(presses <= 28, `${presses} presses`);
    await editor.nodeRed.press(String((await deployed("inject"))["id"]));
    const written = await eventually(async () => {
      const text = await readFile(results, "utf8");
      return text.endsWith("\n") ? text : undefined;
    });
    assert.match(written, /Ada Lovelace;0900000001;applied;[\s\S]*Alan Turing;0900000002;not-applied;ERR_BLOCKED;/);
    const calls = await (await fetch(`${url}/telephony/sandbox/${String(tenant["id"])}/calls`)).json();
    assert.deepEqual(
      (calls as { to: { number: string } }[]).map(({ to }) => to.number),
      ["0900000001"],
    );
  });
});
