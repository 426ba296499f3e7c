import { Sandbox } from "../../../src/sandbox";
import { token, visit } from "../../unit/sandbox/visit";
import { tell } from "./alone";

/** MB of heap that a sandbox keeps, and characters of what it shows. */
export interface Found {
  readonly refused: number;
  readonly calls: number;
  readonly schedules: number;
  readonly logCharacters: number;
  readonly callCharacters: number;
  readonly requests: number;
}

const json = { "Content-Type": "application/json" };
const authentic = { ...json, Authentication: `Bearer ${token}` };
/** 64 KB of text whose values take twenty times the memory. */
const empties = `[${Array.from({ length: 21_000 }, () => "{}").join(",")}]`;

tell(async (): Promise<Found> => {
  const sandbox = await Sandbox.start({ token });
  const post = (path: string, headers: Record<string, string>, body: unknown) =>
    visit(sandbox.url + path, { method: "POST", headers, body });
  const callOut = "/api/v1/call/call-out";
  await post(callOut, authentic, {});
  const start = heap();
  for (let nth = 0; nth < 50; nth += 1) {
    await post(callOut, { "Content-Type": "text/plain", Origin: "https://example.com" }, empties);
    await post(callOut, json, empties);
    await post(callOut, authentic, `{"actions":${empties}}`);
  }
  const refused = heap() - start;
  const text = "xin chào ".repeat(2000);
  const party = { "from.type": "internal", "from.number": "1", "to.type": "external", "to.number": "0000000000" };
  const actions = Array.from({ length: 10 }, () => ({ action: "talk", text }));
  for (let nth = 0; nth < 120; nth += 1) await post(callOut, authentic, { ...party, actions });
  // One call with many long actions.
  const transfer = { callId: "c1", "to.type": "external", "to.number": "0".repeat(200_000) };
  for (let nth = 0; nth < 50; nth += 1) await post("/api/v1/call/transfer", authentic, transfer);
  const calls = heap() - start - refused;
  const days = Array.from({ length: 4000 }, () => ({ day: "mon", open: "08:00", close: "09:00" }));
  const hours = "/api/v1/setting/business-hour";
  for (let nth = 0; nth < 200; nth += 1) await post(hours, authentic, { name: "n", days });
  const schedules = heap() - start - refused - calls;
  const logCharacters = (await visit(`${sandbox.url}/sandbox/log`)).text.length;
  const callCharacters = (await visit(`${sandbox.url}/sandbox/calls`)).text.length;
  const requests = sandbox.state.log.since(0).length;
  await sandbox.stop();
  return { refused, calls, schedules, logCharacters, callCharacters, requests };
});

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
