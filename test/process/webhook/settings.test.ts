import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, hook } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";
import { BY_SECRET, ORDER, SECRET, WebhookStage } from "../../support/process/webhook-stage";

/** The hash of "password" is that of Node-RED's documentation. The middleware reads a body if it is asked to. */
const SETTINGS = `module.exports = {
  ...require("./settings.js"),
  httpNodeRoot: "/api",
  httpNodeAuth: { user: "shop", pass: "$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN." },
  httpNodeCors: { origin: "https://shop.example.com", methods: "POST" },
  httpNodeMiddleware(request, response, next) {
    response.set("x-middleware", "yes");
    if (!request.get("x-read")) return next();
    let text = "";
    request.on("data", (chunk) => (text += chunk)).on("end", () => {
      request.body = JSON.parse(text);
      next();
    });
  },
};
`;
const AUTHORIZED = { ...BY_SECRET, authorization: `Basic ${Buffer.from("shop:password").toString("base64")}` };

/** Starts Node-RED with a settings file of its own. */
async function startWith(settings: string): Promise<WebhookStage> {
  const file = join(await userFolder(), "settings-of-the-webhook.js");
  writeFileSync(file, settings);
  return WebhookStage.start("--settings", file);
}

/** docs/contract/webhook.md: what Node-RED's settings decide. Also run in Node-RED 4.1. */
describe("A webhook and Node-RED's settings, in a process", () => {
  let stage: WebhookStage;
  afterEach(() => stage?.end());

  it("is below httpNodeRoot, and keeps to httpNodeAuth, httpNodeMiddleware and httpNodeCors", async () => {
    stage = await startWith(SETTINGS);
    // A path with parameters is another one, wherever it stands.
    const any = at("any", "http response", { statusCode: "299", headers: {} });
    await stage.nodeRed.deploy([hook("/:any", "any"), any, ...stage.flow({ answer: "taken" })]);
    const send = (headers: object, path = "/api/orders", method = "POST") => stage.send(ORDER, headers, path, method);
    const { status, headers } = await send(AUTHORIZED);
    assert.deepEqual(
      [status, headers.get("x-middleware"), headers.get("access-control-allow-origin")],
      [202, "yes", "https://shop.example.com"],
    );
    assert.equal((await send(AUTHORIZED, "/orders")).status, 404);
    const basic = await send(BY_SECRET);
    assert.deepEqual([basic.status, basic.headers.get("www-authenticate")?.slice(0, 5)], [401, "Basic"]);
    assert.equal((await send({ authorization: AUTHORIZED.authorization })).status, 401);
    const preflight = await send({ ...AUTHORIZED, "access-control-request-method": "POST" }, "/api/orders", "OPTIONS");
    assert.equal(preflight.status, 204);
    // Where something in front has read the body, there is nothing to make a signature of.
    assert.equal((await send({ ...AUTHORIZED, "x-read": "1" })).status, 202);
    await stage.nodeRed.deploy(stage.flow({ answer: "taken", sign: "x-signature" }));
    const signature = createHmac("sha256", SECRET).update(JSON.stringify(ORDER)).digest("hex");
    assert.equal((await send({ ...AUTHORIZED, "x-signature": signature }, "/API/Orders/")).status, 202);
    const logged = stage.nodeRed.prints("has read the body");
    assert.equal((await send({ ...AUTHORIZED, "x-read": "1", "x-signature": "0".repeat(64) })).status, 500);
    await logged;
  });

  it("is refused with httpNodeRoot: false, as HTTP In nodes are", async () => {
    stage = await startWith(`module.exports = { ...require("./settings.js"), httpNodeRoot: false };`);
    await stage.nodeRed.deploy([...stage.flow(), hook("/core")]);
    assert.match(stage.nodeRed.log, /\[telephony-webhook:.*httpNodeRoot is false/);
    for (const path of ["/orders", "/core"]) assert.equal((await stage.send(ORDER, BY_SECRET, path)).status, 404);
  });
});
