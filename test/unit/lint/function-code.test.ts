import { equal } from "node:assert/strict";
import { sendsSeveral } from "../../../src/workshop/lint/function-code";

/** The code of function nodes in published flows. */
const ONE = [
  "return msg;",
  "return;",
  "return [msg];",
  "return [null, msg];",
  "return [msg, null]",
  "return Object.assign(msg, { payload: 1 });",
  "const out = { payload: msg.payload };\nreturn out;",
  "let out;\nif (msg.a) out = msg; else out = RED.util.cloneMessage(msg);\nreturn out;",
  "const { out } = msg;\nreturn out;",
  "node.send(msg);",
  "node.send(msg);\nreturn null;",
  "setTimeout(() => node.send(msg), 100);",
  "msg.payload = msg.payload.map((each) => { return [each, each]; });\nreturn msg;",
  "const sum = msg.payload.filter(function (each) { return each.list; });\nmsg.payload = sum;\nreturn msg;",
  "if (msg.a) { return [msg, null]; }\nreturn [null, msg];",
  "if (msg.a) { if (msg.b) return msg; } else return null;\nreturn msg;",
  "if (msg.a) { node.send(msg); return; }\nnode.send([null, msg]);",
  "return msg.a ? [msg, null] : [null, msg];",
  "return [msg.a ? msg : null, msg.a ? null : msg];",
  "switch (msg.a) { case 1: return msg; default: return [null, msg]; }",
  "for (const each of msg.payload) { if (each.ok) return { payload: each }; }\nreturn null;",
  "try { await f(); return msg; } catch (error) { node.error(error, msg); return null; }",
  "// return [[msg, msg]]\nreturn msg;",
  "const text = 'node.send(msg)'; node.send(msg); /* node.send(msg) */",
  "this is no code",
];
const SEVERAL = [
  "return [[msg, other]];",
  "return [msg, { payload: 1 }];",
  "return list;",
  "return [msg.payload.map((payload) => ({ payload }))];",
  "const out = [];\nfor (const each of msg.payload) out.push({ payload: each });\nreturn [out];",
  "const out = msg.payload.map((payload) => ({ payload }));\nreturn [out];",
  "return [[...msg.payload]];",
  "node.send(msg);\nreturn msg;",
  "node.send(msg);\nnode.send(msg);",
  "for (const each of msg.payload) node.send({ payload: each });",
  "msg.payload.forEach((payload) => node.send({ payload }));",
  "setInterval(() => node.send(msg), 1000);",
];

describe("The code of a function node", () => {
  for (const code of ONE) it(`makes one message of one: ${code}`, () => equal(sendsSeveral(code), false));
  for (const code of SEVERAL) it(`makes several: ${code}`, () => equal(sendsSeveral(code), true));
});
