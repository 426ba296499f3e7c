import assert from "node:assert/strict";
import { eventually } from "../support/process/eventually";
import { type FlowNode, NodeRed } from "../support/process/node-red";
import { userFolder } from "../support/process/user-folder";

const PLACE = { z: "tab", x: 100, y: 100 };

const set = (to: string) => ({ type: "change", rules: [{ t: "set", p: "payload", pt: "msg", to, tot: "jsonata" }] });

/** POST /stop answers with the error's message and cause, GET /status with the status text of the node. */
const FLOW: FlowNode[] = [
  { id: "tab", type: "tab", label: "Language" },
  { id: "tenant", type: "telephony-tenant", mode: "sandbox" },
  { ...PLACE, id: "in", type: "http in", method: "post", url: "/stop", wires: [["stop"]] },
  {
    ...PLACE,
    id: "stop",
    type: "call-stop",
    tenant: "tenant",
    callId: "payload",
    callIdType: "jsonata",
    wires: [["answer"]],
  },
  { ...PLACE, id: "catch", type: "catch", scope: ["stop"], wires: [["error"]] },
  { ...PLACE, id: "error", ...set('{"message": error.message, "source": error.cause.source}'), wires: [["answer"]] },
  { ...PLACE, id: "answer", type: "http response", wires: [] },
  { ...PLACE, id: "words", type: "status", scope: ["stop"], wires: [["keep"]] },
  {
    ...PLACE,
    id: "keep",
    type: "change",
    rules: [{ t: "set", p: "words", pt: "flow", to: "status.text", tot: "msg" }],
    wires: [[]],
  },
  { ...PLACE, id: "look", type: "http in", method: "get", url: "/status", wires: [["show"]] },
  { ...PLACE, id: "ask", type: "http in", method: "get", url: "/sentence", wires: [["gate"]] },
  { ...PLACE, id: "gate", type: "business-hour-gate", source: "value", wires: [["say"], ["say"]] },
  { ...PLACE, id: "say", ...set("businessHour.sentence"), wires: [["answer"]] },
  { ...PLACE, id: "show", ...set('$string($flowContext("words"))'), wires: [["answer"]] },
];

/** What the editor of a reader gets: the texts, and the help with the dialogs. */
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
    const refused = /ID cuộc gọi \(callId\) phải là văn bản; giá trị từ biểu thức JSONata là một đối tượng\.$/;
    assert.match(message, refused);
    assert.equal(source, "a JSONata expression");
    const status = async () => (await nodeRed.get("/status")).text();
    await eventually(async () => (await status()) === "sandbox: kiểm tra thông điệp" || undefined);
    assert.equal(await (await nodeRed.get("/sentence")).text(), "Hiện chúng tôi đang đóng cửa.");
  });

  it("comes from LANG, and is Chinese for every variant of Chinese, on the server and in the editor", async () => {
    assert.match((await start("zh_TW.UTF-8"))["message"] ?? "", /必须是文本/);
    await eventually(() => /的电话沙箱正在监听/.test(nodeRed.log) || undefined);
    for (const language of ["zh-TW", "zh-CN", "zh-HK", "zh"]) {
      const { stop, help } = await readerGets(nodeRed.url, language);
      assert.equal(stop, "结束通话", language);
      assert.match(help, /data-help-name="call-stop">\s+[^<]*\p{Script=Han}/u, language);
    }
  });
});
