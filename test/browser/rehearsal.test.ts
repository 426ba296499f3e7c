import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";
import { root } from "../support/root";

const SECRET = "open sesame";
const example = require(join(root, "examples", "2 Call a customer.json")) as Record<string, unknown>[];
const FLOW = example.map((node) => (node["credentials"] ? { ...node, credentials: { secret: SECRET } } : node));
const caller = example.find(({ type }) => type === "call-out") as { readonly id: string };

describe("A flow that is played by hand, recorded and kept as a test", () => {
  const editor = withEditor(FLOW as never);
  const tab = () => editor.page.locator(".telephony-rehearsal");
  const file = () => join(editor.nodeRed.userDir, "flows.tests.json");
  const press = (name: string) => tab().getByRole("button", { name, exact: true }).first().click();
  const test = () => tab().locator(".telephony-flow-test");
  const send = async () => {
    const order = { orderNo: String(Date.now()), name: "Ada", number: "0901234567" };
    const answer = await editor.nodeRed.post("/call-a-customer", order, { "x-call-secret": SECRET });
    assert.ok(answer.status < 300, `${answer.status} ${await answer.text()}`);
    await tab().getByText("Recording. Inputs so far: 1.").waitFor();
  };
  /** Says another text than the recorded one, or the recorded one again: in the editor, not deployed. */
  const say = (from: string, to: string) =>
    editor.page.evaluate(`(() => {
      const node = RED.nodes.node("${caller.id}");
      node.actions = JSON.parse(JSON.stringify(node.actions).replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)}));
    })()`);

  it("is green, red with both texts once another text is said, and green again", async () => {
    await editor.page.evaluate("RED.sidebar.show('telephony')");
    await tab().locator("summary").first().click();
    for (const [end, says] of [
      ["Save as test", "There was no input, so there is no test."],
      ["Discard", ""],
    ] as const) {
      await press("Record");
      await tab().getByText("Recording. Inputs so far: 0.").waitFor();
      if (says === "") await send();
      await press(end);
      await tab().getByText(says).first().waitFor();
      await tab().getByRole("button", { name: "Record", exact: true }).waitFor();
      assert.equal(await test().count(), 0);
    }
    await press("Record");
    await tab().getByText("Recording. Inputs so far: 0.").waitFor();
    await send();
    // While the recording is read again.
    await editor.page.route("**/rehearsal/record", async (route) => {
      await editor.page.waitForResponse("**/rehearsal/tests");
      await route.continue();
    });
    await press("Save as test");
    await test().waitFor();
    await editor.page.unroute("**/rehearsal/record");
    const saved = await readFile(file(), "utf8");
    assert.ok(!saved.includes(SECRET));
    assert.equal((await stat(file())).mode & 0o777, 0o600);
    const [{ then }] = JSON.parse(saved).tests;
    assert.equal(then[0].call, "0901234567");

    await press("Run all");
    await test().locator(".fa-check").waitFor();
    const said = String(then[0].says);
    const word = said.split(" ")[0] as string;
    await say(word, "Farewell");
    await press("Run all");
    await test().locator(".fa-times").waitFor();
    await test().locator("summary").click();
    const compared = (await test().locator(".telephony-compared").first().textContent()) ?? "";
    assert.ok(compared.startsWith(`Expected: 0901234567 ${JSON.stringify(said)}`), compared);
    assert.ok(compared.includes(said.replace(word, "Farewell")), compared);
    await say("Farewell", word);
    await press("Run all");

    await test().locator(".fa-check").waitFor();

    // The same from the command line, with a stand-in for the secret.
    await writeFile(join(editor.nodeRed.userDir, "kept.tests.json"), saved);
    await writeFile(join(editor.nodeRed.userDir, "kept.json"), JSON.stringify(example));
    const args = ["dist/src/cli/telephony.js", "test", join(editor.nodeRed.userDir, "kept.tests.json")];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, stdout + stderr);
  });

  it("is rehearsed from the tab, and a call selects its node", async () => {
    await tab().getByLabel("Days").fill("1");
    await tab().getByLabel("Input").selectOption({ index: 1 });
    await press("Rehearse");
    await tab().getByText("Calls: 1, not placed: 0.").waitFor();
    assert.equal(await editor.page.evaluate("document.activeElement.textContent"), "Rehearse");
    const isSelected = () =>
      eventually(async () => {
        const selected = await editor.page.evaluate("(RED.view.selection().nodes ?? []).map(({ id }) => id).join()");
        return selected === caller.id || undefined;
      });
    await tab().locator("ol .telephony-link").first().click();
    await isSelected();
    await editor.page.evaluate("RED.view.select({ nodes: [] })");
    const [page] = await Promise.all([
      editor.page.context().waitForEvent("page"),
      tab().getByText("Open the report").click(),
    ]);
    await page.getByText("0901234567").first().waitFor();
    await page.locator("#calls .link").click();
    await isSelected();
    await page.close();
  });

  it("is deleted after a question only", async () => {
    for (const isSure of [false, true]) {
      const asked = editor.page.waitForEvent("dialog").then(async (dialog) => {
        await (isSure ? dialog.accept() : dialog.dismiss());
        return dialog.message();
      });
      await press("Delete");
      assert.match(await asked, /^Delete the test “.+”\?$/);
      if (!isSure) assert.equal(await test().count(), 1);
    }
    await test().waitFor({ state: "detached" });
  });
});
