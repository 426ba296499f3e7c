import { strict as assert } from "node:assert";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Sandbox } from "../../../src/sandbox/http/server";
import { LIMIT_MS, launch } from "../../support/browser/editor";
import { ask, PARTIES, press } from "../../unit/sandbox/visit";

/** A user on the page of a sandbox. */
export interface Visitor {
  readonly page: Page;
  /** Errors and warnings of the browser. */
  readonly complaints: string[];
  /** Opens the page and waits until it shows the sandbox. */
  open(sandbox: Sandbox, query?: string): Promise<void>;
  /**
   * Waits until an expression is true, looking at each change and in each frame. (The second attempt of `waitForFunction` is an `eval`, which the page's
   * Content Security Policy refuses.)
   */
  sees(expression: string): Promise<void>;
  /** The visible texts, on one line each, without the time of day. */
  texts(selector: string): Promise<string[]>;
}

/** Opens a browser for the tests of a suite, with a page for each. */
export function visitor(options: BrowserContextOptions = {}): () => Visitor {
  let browser: Browser;
  let here: Visitor;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());
  beforeEach(async () => {
    const page = await browser.newPage({ locale: "en-US", timezoneId: "Asia/Ho_Chi_Minh", ...options });
    page.setDefaultTimeout(LIMIT_MS);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    here = {
      page,
      complaints,
      async open(sandbox, query = "") {
        await page.goto(`${sandbox.url}/sandbox${query}`);
        await page.locator("#status.good").waitFor();
      },
      async sees(expression) {
        await page.evaluate(`new Promise((resolve) => {
          let isSeen = false;
          const look = () => {
            isSeen ||= Boolean(${expression});
            if (isSeen) resolve();
          };
          const lookAgain = () => {
            look();
            if (!isSeen) requestAnimationFrame(lookAgain);
          };
          new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
          lookAgain();
        })`);
      },
      async texts(selector) {
        const found = await page.locator(selector).allInnerTexts();
        return found.map((text) =>
          text
            .replace(/\s+/g, " ")
            .replace(/\d+:\d\d:\d\d( [AP]M)? ?/g, "")
            .trim(),
        );
      },
    };
  });
  afterEach(() => here?.page.close());
  return () => here;
}

/** A body as the service's interface writes it, with dots in the names of party fields. */
export const CALL_OUT = {
  ...PARTIES,
  "to.alias": "<b>Ada</b>",
  "from.alias": "Acme",
  actions: [{ action: "talk", text: "Hello Ada", voice: "banmai", speed: 1, loop: "2" }],
};

export async function callOut(sandbox: Sandbox, fields: object = {}): Promise<void> {
  const { status } = await ask(sandbox, "POST", "/api/v1/call/call-out", { ...CALL_OUT, ...fields });
  assert.equal(status, 200);
}

/** Sends a request to the sandbox's controls. */
export async function control(sandbox: Sandbox, name: string, body: object): Promise<void> {
  const { status, text } = await press(sandbox, name, body);
  assert.equal(status, 200, text);
}
