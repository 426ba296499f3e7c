import { strict as assert } from "node:assert";
import { flowOf } from "../support/browser/flows";
import { withEditor } from "../support/browser/with-editor";

describe("The buttons of nodes on the canvas", () => {
  const gate = { id: "gate", type: "business-hour-gate", scheduleName: "Support 24/7", wires: [[], []] };
  const editor = withEditor(
    flowOf([
      gate,
      { id: "pause", type: "telephony-control", command: "pause" },
      { id: "drop", type: "telephony-control", command: "drop" },
      { id: "any", type: "telephony-control" },
      { id: "settle", type: "telephony-control", command: "settle" },
    ]),
  );
  const button = (id: string) => editor.page.locator(`[id="${id}"] .red-ui-flow-node-button-button`);
  const status = (id: string, text: RegExp) => editor.shows(`[id="${id}"] .red-ui-flow-node-status-label`, text);

  it("close or open a gate until an end that they ask for, and offer to end that @markup", async () => {
    await status("gate", /^sandbox: open/);
    const tooltips = ["gate", "pause"].map((id) => editor.page.locator(`[id="${id}"] .red-ui-flow-node-button title`));
    assert.deepEqual(await Promise.all(tooltips.map((each) => each.textContent())), [
      "Open or close until when?",
      "pause calls",
    ]);
    const end = editor.page.locator(".red-ui-notification input[type=datetime-local]");
    const press = (name: string) => editor.page.getByRole("button", { name }).click();
    for (const [state, act, undo, shown] of [
      ["Closed", "Close now", "Open again", /^sandbox: closed until .*08:00.*, override$/],
      ["Open", "Open now", "Use the hours", /^sandbox: open.*, override$/],
    ] as const) {
      await button("gate").click();
      await end.fill("2020-01-01T08:00");
      await press(act);
      await editor.page.getByText("Choose a time in the future.").last().waitFor();
      await end.fill(`${new Date().getFullYear() + 1}-01-01T08:00`);
      await press(act);
      await end.waitFor({ state: "detached" });
      await status("gate", shown);
      await button("gate").click();
      await editor.page
        .getByText(new RegExp(`^${state} until .*8:00`))
        .last()
        .waitFor();
      await press(undo);
      await status("gate", /^sandbox: open(?!.*override)/);
    }
  });

  it("perform the command of a control node, and ask before they drop messages", async () => {
    for (const id of ["any", "settle"]) assert.equal(await button(id).isVisible(), false, id);
    await button("pause").click();
    await status("pause", /paused/);
    await button("drop").click();
    await editor.page.getByText("Every waiting message fails with ERR_DROPPED").waitFor();
    // The answer goes away after some seconds.
    await Promise.all([
      editor.page.getByText("Sent: drop waiting messages.").waitFor(),
      editor.page.getByRole("button", { name: "Drop them" }).click(),
    ]);
  });

  it("do nothing for a node that is not deployed as it is", async () => {
    await editor.change("gate", { changed: true, dirty: true });
    await editor.page.evaluate("RED.view.redraw(true, true)");
    const enabled = "RED.nodes.node('gate')._def.button.enabled.call(RED.nodes.node('gate'))";
    assert.equal(await editor.page.evaluate(enabled), false);
  });
});
