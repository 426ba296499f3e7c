import { NodeRed } from "./node-red";
import { startTenant } from "./tenant-process";
import { action, httpRequest, loop, pass, tab, tenant } from "./flows";
import { userFolder } from "./user-folder";
async function main() {
  const server = await startTenant();
  const u = process.env["UND"] === "8" ? "undici-8" : "undici";
  const { nodeRed, ms } = await NodeRed.start(userFolder("probe", true), u);
  console.log("start", ms);
  await nodeRed.deploy(tab(tenant(server.origin), loop(action("call-stop")), loop(action("call-out")), loop(httpRequest("call-stop", server.origin)), loop(pass)));
  const n = Number(process.env["N"] ?? 32);
  const load = { underWay: n, warmUpMs: 200, forMs: 800 };
  for (let i = 0; i < Number(process.env["R"] ?? 3); i++) {
    for (const [name, run] of Object.entries({
      dispatch: () => nodeRed.ask("undici", { origin: server.origin, api: "dispatch", subject: "call-stop", ...load }),
      request: () => nodeRed.ask("undici", { origin: server.origin, api: "request", subject: "call-stop", ...load }),
      stop: () => nodeRed.ask("flow", { loop: "loop call-stop", payload: "call-stop", ...load }),
      dispatchOut: () => nodeRed.ask("undici", { origin: server.origin, api: "dispatch", subject: "call-out", ...load }),
      requestOut: () => nodeRed.ask("undici", { origin: server.origin, api: "request", subject: "call-out", ...load }),
      out: () => nodeRed.ask("flow", { loop: "loop call-out", payload: "call-out", ...load }),
      http: () => nodeRed.ask("flow", { loop: "loop http call-stop", payload: "call-stop", ...load }),
      pass: () => nodeRed.ask("flow", { loop: "loop pass", payload: "call-stop", ...load }),
    })) {
      const s = await run();
      console.log(name.padEnd(12), Math.round(s.perSecond), s.processor.toFixed(1), s.p50.toFixed(2), s.p99.toFixed(2), s.p999.toFixed(2));
    }
  }
  if (process.env["PROF"]) {
    await nodeRed.ask("startProfile", {});
    await nodeRed.ask("flow", { loop: "loop " + process.env["PROF"], payload: process.env["PROF"] as "call-stop", underWay: n, warmUpMs: 0, forMs: 6000 });
    await nodeRed.ask("stopProfile", { file: "/tmp/p.cpuprofile" });
  }
  await nodeRed.stop();
  await server.stop();
}
void main();
