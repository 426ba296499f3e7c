import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { at, change, type FlowNode, hook, NodeRed, page } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

/** POST /stop answers with the error's message and cause, GET /status with the status text of the node. */
const FLOW: FlowNode[] = [
  { id: "tab", type: "tab", label: "Language" },
  { id: "tenant", type: "telephony-tenant", mode: "sandbox" },
  hook("/stop", "stop"),
  at("stop", "call-stop", { tenant: "tenant", callId: "payload", callIdType: "jsonata" }, ["answer"]),
  at("catch", "catch", { scope: ["stop"] }, ["error"]),
  change("error", '{"message": error.message, "source": error.cause.source}', ["answer"]),
  at("answer", "http response", {}),
  at("words", "status", { scope: ["stop"] }, ["keep"]),
  change("keep", "status.text", [], "words", "flow"),
  page("/status", "show"),
  change("show", '$string($flowContext("words"))', ["answer"]),
  page("/sentence", "gate"),
  at("gate", "business-hour-gate", { source: "value" }, ["say"], ["say"]),
  change("say", "businessHour.sentence", ["answer"]),
];

/** Returns what the editor of a reader gets: the texts, and the help with the dialogs. */
async function readerGets(url: string, language: string): Promise<{ stop: unknown; help: string }> {
  const texts = await fetch(`${url}/locales/@cloud-telephony/node-red-call-actions/telephony?lng=${language}`);
  const catalogue = (await texts.json()) as { "call-stop"?: { type?: string } };
  const dialogs = await fetch(`${url}/nodes`, { headers: { accept: "text/html", "accept-language": language } });
  return { stop: catalogue["call-stop"]?.type, help: await dialogs.text() };
}

describe("the language of a server", () => {
  let nodeRed: NodeRed;
  afterEach(() => nodeRed?.kill());
  const start = async (LANG: string, ...options: string[]) => {
    nodeRed = await NodeRed.start(await userFolder(), { LC_ALL: undefined, LC_MESSAGES: undefined, LANG }, ...options);
    await nodeRed.deploy(FLOW);
    return (await (await nodeRed.post("/stop", { not: "a text" })).json()) as Record<string, string>;
  };

  it("comes from the setting lang, before LANG, for errors, status texts and spoken sentences", async () => {
    const { message = "", source } = await start("de_DE.UTF-8", "-D", "lang=vi");
    const refused = /“ID cuộc gọi \(callId\)”; giá trị từ biểu thức JSONata là một đối tượng\.$/;
    assert.match(message, refused);
    assert.equal(source, "a JSONata expression");
    const status = async () => (await nodeRed.get("/status")).text();
    await eventually(async () => (await status()) === "sandbox: kiểm tra thông điệp" || undefined);
    assert.equal(await (await nodeRed.get("/sentence")).text(), "Hiện chúng tôi đang đóng cửa.");
  });

  it("comes from LANG, and is Chinese for every variant of Chinese, on the server and in the editor", async () => {
    assert.match((await start("zh_TW.UTF-8"))["message"] ?? "", /不是文本/);
    await eventually(() => /的电话沙箱正在监听/.test(nodeRed.log) || undefined);
    for (const language of ["zh-TW", "zh-CN", "zh-HK", "zh"]) {
      const { stop, help } = await readerGets(nodeRed.url, language);
      assert.equal(stop, "结束通话", language);
      assert.match(help, /data-help-name="call-stop">\s+[^<]*\p{Script=Han}/u, language);
    }
  });
});
