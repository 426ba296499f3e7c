import { strict as assert } from "node:assert";
import { ImportedExample } from "../support/browser/imported-example";
import { withEditor } from "../support/browser/with-editor";
import { eventually } from "../support/process/eventually";

describe("An appointment that is booked, moved and cancelled", () => {
  const editor = withEditor([{ id: "a-tab", type: "tab", label: "What was there" }]);

  it("is in the tab with its date, and can be cancelled there", async () => {
    const { page } = editor;
    const example = await ImportedExample.from(editor, "Remind of appointments");
    await editor.deploy();
    await page.evaluate("RED.sidebar.show('telephony')");
    const waiting = page.locator(".telephony-waits");
    for (const [button, count] of [
      ["Try it: Ada books", 1],
      ["Try it: Ada moves", 1],
      ["Try it: Ben books", 2],
    ] as const) {
      await example.press(button);
      await waiting.getByText(`${count} waiting`).waitFor();
    }
    await waiting.getByText("2 waiting").click();
    const rows = waiting.locator("li");
    // Ben's early appointment is four days ahead: a day before, at nine. Ada's was moved to the fifth day.
    await eventually(async () => {
      const texts = await rows.allInnerTexts();
      assert.deepEqual(
        texts.map((text) => /(\d\d:\d\d)\s+•+000\s+Remind/.exec(text)?.[1]),
        ["09:00", "15:30"],
      );
      return true;
    });

    await rows.first().getByRole("button", { name: "Cancel call" }).click();
    await waiting.getByRole("group").getByRole("button", { name: "Cancel call" }).click();
    await waiting.getByText("Cancelled").waitFor();
    await waiting.getByText("1 waiting").waitFor();
  });
});
