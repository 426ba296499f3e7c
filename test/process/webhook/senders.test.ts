import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { sign } from "../../../src/runtime/node-red/webhook-schemes";
import { at, clockAt, hook, NodeRed } from "../../support/process/node-red";
import { userFolder } from "../../support/process/user-folder";
import { BY_SECRET, ORDER, SECRET, type Told, WebhookStage } from "../../support/process/webhook-stage";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const BASE64 = `whsec_${Buffer.from(SECRET).toString("base64")}`;
const login = (user: string, password = SECRET) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});
const multipart = (boundary: string, ...parts: readonly (string | Buffer)[]) =>
  Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; `),
      Buffer.from(part),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** docs/contract/webhook.md: senders as they are, with the requests that they publish. */
describe("The senders of a webhook, in a process", () => {
  let stage: WebhookStage;
  const deploy: WebhookStage["deploy"] = (webhook, ...more) => stage.deploy({ answer: "taken", ...webhook }, ...more);
  const send = (...args: Parameters<WebhookStage["send"]>): Promise<Told> => stage.send(...args);
  const last = async () => (await stage.seen()).at(-1) ?? {};

  before(async () => {
    stage = await WebhookStage.start();
  });
  after(() => stage?.end());

  it("get in with the secret in a header of their own, and in no other way: GitLab, Telegram, Zoho, Grafana", async () => {
    await deploy({ header: "X-Gitlab-Token" });
    for (const value of [SECRET, `Bearer ${SECRET}`, `token ${SECRET}`])
      assert.equal((await send(ORDER, { "x-gitlab-token": value })).status, 202, value);
    for (const headers of [BY_SECRET, login("a"), { "x-gitlab-token": `Basic ${SECRET}` }, {}])
      assert.equal((await send(ORDER, headers)).status, 401);
    assert.equal((await send(ORDER, {}, `/orders?secret=${encodeURIComponent(SECRET)}`)).status, 401);
    const twice = request(`${stage.nodeRed.url}/orders`, { method: "POST" });
    twice.setHeader("x-gitlab-token", [SECRET, SECRET]);
    const [answer] = await once(twice.end("{}"), "response");
    assert.equal(answer.statusCode, 401);
    await deploy({ header: "Authorization" });
    assert.equal((await send(ORDER, { authorization: `Bearer ${SECRET}` })).status, 202);
    assert.equal((await send(ORDER, login("a"))).status, 401);
  });

  it("get in with a login, whose password is the secret: Alertmanager, PRTG", async () => {
    await deploy();
    for (const user of ["alertmanager", ""]) assert.equal((await send(ORDER, login(user))).status, 202, user);
    assert.equal((await send(ORDER, login(SECRET, "another"))).status, 401);
    const noPair = `Basic ${Buffer.from(SECRET).toString("base64")}`;
    assert.equal((await send(ORDER, { authorization: noPair })).status, 401);
  });

  const SCHEMES = ["standard", "stripe", "slack", "zendesk", "paddle", "pagerduty"].map(
    (scheme) => [scheme, ""] as const,
  );
  for (const [scheme, header] of [...SCHEMES, ["stripe", "Calendly-Webhook-Signature"]] as const)
    it(`get in with a signature of now, and leave no trace of it: ${scheme} ${header}`, async () => {
      const [signing, secret] = [{ scheme, sign: header.toLowerCase() }, scheme === "standard" ? BASE64 : SECRET];
      const func = `const { requestId, webhook, req, res } = msg;
        return [{ payload: { all: util.inspect(req, { depth: 6, showHidden: true }) }, res }, { requestId, webhook }];`;
      const reply = at("reply", "http response", { statusCode: "", headers: {} });
      const what = at("what", "function", { func, outputs: 2 }, ["reply"], ["seen"]);
      const settings = { scheme, sign: header, credentials: { secret }, answer: "flow", wires: [["what"]] };
      await deploy(settings, {}, [what, reply]);
      const body = JSON.stringify(ORDER);
      const signed = (ms: number) => sign({}, signing, secret, body, Date.now() + ms, "msg_1");
      const post = (headers: object, of = body) => send(of, { "content-type": "application/json", ...headers });
      const good = await post({ ...signed(0), "idempotency-key": "unsigned" });
      const all = String(good.body["all"]);
      assert.match(all, /content-type/);
      assert.ok(!all.includes(Object.values(signed(0)).at(-1)?.slice(-40) ?? ""), all);
      const { requestId, webhook } = await last();
      assert.equal(requestId, scheme === "standard" ? "msg_1" : "unsigned");
      assert.ok(!("query" in Object(webhook)));
      assert.equal((await post(signed(0), "{}")).status, 401);
      const isTimed = scheme !== "pagerduty";
      for (const away of [-310_000, 310_000])
        assert.equal((await post(signed(away))).status, isTimed ? 401 : 200, String(away));
      assert.equal((await post(signed(-290_000))).status, 200);
    });

  it("are told again later while the clock of the machine may be wrong", async () => {
    await deploy({ scheme: "stripe", answer: "outcome" }, {}, [], { engine: "file" });
    const body = JSON.stringify(ORDER);
    const signed = () => send(body, sign({}, { scheme: "stripe", sign: "" }, SECRET, body, Date.now(), ""));
    // The file says then which start of the machine this is.
    assert.equal((await signed()).status, 200);
    await stage.nodeRed.stop();
    stage.nodeRed = await NodeRed.start(stage.folder, clockAt(new Date().toISOString(), undefined, "another"));
    const [told, forged] = [await signed(), await send(body, {})];
    stage.nodeRed.kill();
    await stage.restart();
    assert.deepEqual([told.status, forged.status], [503, 401]);
    assert.match(String(told.headers.get("retry-after")), /^\d+$/);
  });

  it("are answered when a chat or a shop tries the address, and the flow hears nothing of it", async () => {
    await deploy({ scheme: "slack", answer: "outcome" });
    const body = JSON.stringify({
      token: "t",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
      type: "url_verification",
    });
    const headers = sign({}, { scheme: "slack", sign: "" }, SECRET, body, Date.now(), "");
    const told = await send(body, { ...headers, "content-type": "application/json" });
    assert.deepEqual([told.status, told.body["challenge"]], [200, JSON.parse(body).challenge]);
    assert.equal((await send(body, { "content-type": "application/json" })).status, 401);
    await stage.nodeRed.deploy(stage.flow({ sign: "X-WC-Webhook-Signature" }));
    const ping = await send("webhook_id=17", FORM);
    assert.deepEqual([ping.status, ping.body], [200, { accepted: false }]);
    assert.equal((await send("webhook_id=17&a=1", FORM)).status, 401);
    assert.equal((await send("webhook_id=17", { "content-type": "text/plain" })).status, 401);
    await stage.nodeRed.deploy(stage.flow());
    assert.equal((await send("webhook_id=17", FORM)).status, 401);
    assert.deepEqual(await stage.seen(), []);
  });

  it("name their requests: GitHub, Shopify, Svix; a name that does not fit is left out, but not ours", async () => {
    await deploy();
    for (const [headers, id] of [
      [{ "x-github-delivery": "72d3162e" }, "72d3162e"],
      [{ "x-shopify-webhook-id": "b54557e4", "webhook-id": "msg 1", "svix-id": "msg_2" }, "msg_2"],
      [{ "x-github-delivery": "a b" }, undefined],
    ] as const) {
      assert.equal((await send(ORDER, { ...BY_SECRET, ...headers })).status, 202);
      assert.equal((await last())["requestId"], id);
    }
  });

  it("send forms in parts: fields are those of a form, files are left out: Jotform", async () => {
    await deploy();
    const post = (boundary: string, ...parts: readonly (string | Buffer)[]) =>
      send(multipart(boundary, ...parts), {
        ...BY_SECRET,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      });
    const png = Buffer.concat([
      Buffer.from('name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
    ]);
    const field = (name: string, value = "1") => `name="${name}"\r\n\r\n${value}`;
    const told = await post("----formboundary7d1", field("phone", "0901234514"), field("q[name]", "Trần Thị Hoa"), png);
    assert.equal(told.status, 202);
    const { payload, webhook } = await last();
    assert.deepEqual(payload, { phone: "0901234514", q: { name: "Trần Thị Hoa" } });
    assert.deepEqual(Object(webhook).files, ["a.png"]);
    const fields = Array.from({ length: 100 }, (_, n) => field(`f${n}`));
    assert.equal((await post("x".repeat(30), ...fields, png)).status, 202);
    for (const more of [[field("one more")], Array.from({ length: 20_000 }, () => field("f"))])
      assert.equal((await post("x".repeat(30), ...fields, ...more)).status, 413);
    assert.equal((await post("x", Buffer.concat([png, Buffer.alloc(2 ** 20)]))).status, 413);
    assert.equal((await post("x", field("__proto__[a]"))).status, 400);
    const cut = await send("--x\r\nContent-Disp", { ...BY_SECRET, "content-type": "multipart/form-data; boundary=x" });
    assert.equal(cut.status, 400);
  });

  it("have values in the address of a POST, and of a GET where that is asked for: Zoho, 3CX, Shelly, Yealink", async () => {
    const address = `/orders?phone=0901234515&secret=${encodeURIComponent(SECRET)}`;
    await deploy();
    assert.equal((await send("", {}, address)).status, 202);
    const { payload, webhook } = await last();
    assert.deepEqual([payload, Object(webhook).query], [{}, { phone: "0901234515" }]);
    assert.equal((await send("", {}, address, "GET")).status, 405);
    await deploy({ get: true });
    assert.equal((await send("", {}, address, "GET")).status, 202);
    assert.deepEqual((await last())["payload"], { phone: "0901234515" });
    assert.equal((await send("", {}, "/orders?phone=1", "GET")).status, 401);
    for (const method of ["HEAD", "PUT"]) {
      const { status, headers } = await send("", {}, address, method);
      assert.deepEqual([status, headers.get("allow")], [405, "GET, POST"], method);
    }
  });

  it("find no GET at a path that another has for it: the editor, an HTTP In node", async () => {
    const page = at("page", "http in", { method: "get", url: "/orders" }, ["told"]);
    const told = at("told", "http response", { statusCode: "299", headers: {} });
    await deploy({}, {}, [page, told]);
    assert.equal((await send(ORDER)).status, 202);
    for (const path of ["orders", "settings", "red/about", "nodes"]) {
      const taken = stage.nodeRed.prints("Path taken");
      await stage.nodeRed.deploy(stage.flow({ get: "true", path, name: path }, {}, [page, told]));
      await taken;
    }
    assert.equal((await send("", {}, "/orders", "GET")).status, 299);
  });

  it("are refused where settings contradict one another, or the secret is no base64", async () => {
    for (const [more, words] of [
      [{ scheme: "standard" }, "needs base64"],
      [{ header: "X-Token", sign: "X-Signature" }, "(header)"],
      [{ scheme: "stripe", get: true }, "Not possible with a signature"],
    ] as const) {
      await stage.nodeRed.renew();
      const logged = stage.nodeRed.prints(words);
      await stage.nodeRed.deploy(stage.flow(more));
      assert.equal((await send(ORDER)).status, 404);
      await logged;
    }
  });

  it("are asked to come again until the flows have started", async () => {
    const folder = await userFolder();
    const missing = at("missing", "no-such-type", {}, []);
    writeFileSync(join(folder, "flows.json"), JSON.stringify([...stage.flow(), missing, hook("/core")]));
    const begun = await NodeRed.begin(folder);
    try {
      const ask = (path: string, method: string) => fetch(begun.url + path, { method });
      const told = await ask("/orders", "POST");
      assert.deepEqual([told.status, told.headers.get("retry-after")], [503, "5"]);
      assert.deepEqual(await told.json(), { accepted: false, outcome: "not-applied" });
      assert.equal((await ask("/orders", "GET")).status, 404);
      await begun.deploy(stage.flow({ path: "other" }));
      assert.equal((await ask("/orders", "POST")).status, 404);
    } finally {
      begun.kill();
    }
  });
});
