import { strict as assert } from "node:assert";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sandboxForEach } from "../../unit/sandbox/visit";
import { callOut, control, visitor } from "./visitor";

describe("A phone on the sandbox's page", () => {
  const sandbox = sandboxForEach();
  const here = visitor();
  const phone = () => here().page.locator(".phone");
  const stateOf = (callId: string) => sandbox().state.phones.of(callId)?.state;
  const badge = (text: string) => here().page.locator(".badge", { hasText: text }).first().waitFor();

  beforeEach(async () => {
    await control(sandbox(), "settings", { answers: "ask", ringSeconds: 300 });
    await here().open(sandbox());
  });

  it("rings, is answered, and hangs up", async () => {
    await callOut(sandbox());
    await phone().getByText("called from Acme (hotline 9)").waitFor();
    assert.equal(await phone().locator(".who").textContent(), "<b>Ada</b>");
    assert.equal(await here().page.title(), "☎ ringing: <b>Ada</b>");
    assert.match(
      (await here().page.locator("[aria-live]").textContent()) ?? "",
      /The phone of <b>Ada<\/b> \(number 0000000000\) rings/,
    );
    await phone().getByRole("button", { name: "Answer" }).click();
    await phone().getByRole("button", { name: "Hang up" }).waitFor();
    assert.equal(stateOf("sandbox-1"), "talking");
    assert.equal(await here().page.title(), "Telephony sandbox");
    // The card grows while it speaks.
    await phone().getByText("Everything has been said.").waitFor();
    await phone().getByRole("button", { name: "Hang up" }).click();
    await badge("ended");
    assert.equal(await phone().count(), 0);
    assert.deepEqual(
      sandbox()
        .state.phones.of("sandbox-1")
        ?.moments.map(({ what, by }) => [what, by]),
      [
        ["ringing", undefined],
        ["talking", "person"],
        ["ended", "person"],
      ],
    );
    assert.deepEqual(here().complaints, []);
  });

  it("does not ask for a number whose phone behaves in a way of its own", async () => {
    await control(sandbox(), "settings", { phones: { "*02": "never answers" } });
    await callOut(sandbox(), { "to.number": "0902" });
    await callOut(sandbox());
    await here().page.locator('[data-call="sandbox-2"]').waitFor();
    assert.equal(await phone().count(), 1);
    assert.equal(await here().page.locator("#phone-sandbox-2").count(), 1);
    assert.equal(stateOf("sandbox-1"), "ringing");
  });

  it("works with the keyboard alone", async () => {
    await callOut(sandbox());
    await phone().waitFor();
    await here().page.keyboard.press("Enter");
    await phone().getByRole("button", { name: "Hang up" }).waitFor();
    await here().page.keyboard.press("Escape");
    await badge("ended");
    await here().page.evaluate("document.activeElement.blur()");
    await callOut(sandbox());
    await phone().waitFor();
    await here().page.keyboard.press("Escape");
    await badge("declined");
  });

  it("can be hung up in a low sidebar whatever it says, and leaves the call's result in view", async () => {
    const { page } = here();
    await page.setViewportSize({ width: 280, height: 180 });
    await callOut(sandbox(), { actions: [{ action: "talk", text: "One two three ".repeat(20), loop: "1" }] });
    await phone().getByRole("button", { name: "Answer" }).click();
    await phone().locator(".words", { hasText: "One" }).waitFor();
    const hangUp = phone().getByRole("button", { name: "Hang up" });
    const { y = -1, height = 0 } = (await hangUp.boundingBox()) ?? {};
    assert.ok(y >= 0 && y + height <= 180, `from ${y} to ${y + height} of 180 pixels`);
    await hangUp.click();
    await badge("ended");
    await here().sees("document.querySelector('.call .head').getBoundingClientRect().bottom <= innerHeight");
  });

  it("does not take the focus from somebody who is typing", async () => {
    await here().page.getByRole("tab", { name: "More" }).click();
    await here().page.getByText("Incoming call").click();
    await here().page.getByLabel("Caller").focus();
    await callOut(sandbox());
    await phone().waitFor();
    assert.equal(await here().page.evaluate("document.activeElement.tagName"), "INPUT");
  });

  // The browser of these tests has no voices.
  it("shows the text word by word where the browser has no voice, as often as it is said", async () => {
    await callOut(sandbox(), { actions: [{ action: "talk", text: "One two three four", loop: "2" }] });
    // Each of them passes within a second: the page looks for them at each change, from the beginning.
    const speech = "document.querySelector('.phone .speech')";
    await Promise.all([
      here().sees(`${speech}?.textContent.includes("1 of 2") && ${speech}.querySelector(".words .soft").textContent`),
      here().sees(`${speech}?.textContent.includes("2 of 2")`),
      phone().getByText("Your browser has no voice for this language").waitFor(),
      phone().getByRole("button", { name: "Answer" }).click(),
    ]);
    await phone().getByText("Everything has been said.").waitFor();
    assert.equal(stateOf("sandbox-1"), "talking");
  });

  // A stand-in for the voices that this browser lacks: it takes what is said and ends at once.
  it("speaks with a voice of the text's language, and says that it is an approximation", async () => {
    const { page } = here();
    await page.addInitScript(`
      window.spoken = [];
      const voices = ["en-US", "vi-VN", "de-DE"].map((lang) => ({ lang }));
      window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text; } };
      Object.defineProperty(window, "speechSynthesis", { value: {
        getVoices: () => voices, cancel() {}, addEventListener() {},
        speak(one) { window.spoken.push([one.text, one.lang]); setTimeout(() => one.dispatchEvent(new Event("end"))); },
      } });`);
    await here().open(sandbox());
    const actions = ["Xin chào, đơn hàng đã đến", "Your order is here"].map((text) => ({
      action: "talk",
      text,
      loop: "1",
    }));
    await callOut(sandbox(), { actions });
    await phone().getByRole("button", { name: "Answer" }).click();
    await phone().getByText("Spoken by your browser").waitFor();
    await phone().getByText("Everything has been said.").waitFor();
    assert.deepEqual(await page.evaluate("window.spoken"), [
      ["Xin chào, đơn hàng đã đến", "vi-VN"],
      ["Your order is here", "en-US"],
    ]);
  });

  it("plays a call that the simulation has answered", async () => {
    await control(sandbox(), "settings", { answers: "everybody" });
    // A text that is not over before it is stopped.
    await callOut(sandbox(), { actions: [{ action: "talk", text: "Hello Ada. ".repeat(100), loop: "2" }] });
    await badge("talking");
    assert.equal(await phone().count(), 0);
    await here().page.locator(".head").click();
    await here().page.getByRole("button", { name: "Listen" }).click();
    await here().page.getByText("1 of 2").waitFor();
    await here().page.getByRole("button", { name: "Stop listening" }).click();
    await here().page.getByRole("button", { name: "Listen" }).waitFor();
  });

  it("shows what came from the answer address", async () => {
    const server = createServer((_, response) => response.setHeader("content-type", "text/plain").end("say hello"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer`;
    await callOut(sandbox(), { answer_url: address, actions: undefined });
    await callOut(sandbox(), { answer_url: "https://flows.example.com/answer", actions: undefined });
    await here().page.locator(".phone").nth(1).waitFor();
    for (const callId of ["sandbox-1", "sandbox-2"]) {
      await here().page.locator(`[data-call="${callId}"] .head`).click();
      await here().page.locator(`[data-call="${callId}"] .body .answer`).click();
      await here().page.locator(`[data-call="${callId}"] .fetched`).waitFor();
    }
    server.close();
    assert.deepEqual(await here().texts(".timeline > .fetched"), [
      "Answer address fetched Not requested: the host flows.example.com is not allowed. You can allow it under “Phones”.",
      "Answer address fetched 200 text/plain say hello",
    ]);
  });
});
