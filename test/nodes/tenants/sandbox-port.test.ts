import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import type { NodeAPI } from "node-red";
import { ownServer, sandboxOf } from "../../../src/runtime/tenants/sandboxes";
import { closeTenant, openTenant } from "../../../src/runtime/tenants/tenants";
import { freePort } from "../../support/process/free-port";
import { clear, errors, fail, flowOf, load, pass, redeploy, statusesOf, until, withTenant } from "../../support/stage";

describe("the sandbox of a tenant", () => {
  for (const [name, said] of [
    ["Acme", "Acme"],
    ["", "sandbox"],
  ] as const)
    it(`logs where it listens, as that of ${said}`, async () => {
      const lines: string[] = [];
      const RED = {
        _: (key: string, params: object = {}) =>
          key.endsWith("story.sandbox") ? "sandbox" : [key.split(":")[1], ...Object.values(params)].join(" "),
        log: { info: (line: string) => lines.push(line) },
      } as unknown as NodeAPI;
      try {
        await openTenant(RED, { id: "t9", type: "telephony-tenant", name, mode: "sandbox" }, {} as never).client
          ?.opened;
        const { url } = (await sandboxOf("t9")) ?? {};
        deepStrictEqual(lines, [`log.sandbox ${said} ${url}/sandbox`]);
      } finally {
        await closeTenant("t9");
      }
    });
});

describe("what a sandbox takes for Node-RED's own address", () => {
  for (const [settings, hosts] of [
    [{ uiHost: "192.0.2.7", uiPort: 1881 }, ["192.0.2.7:1881"]],
    [{ uiHost: "192.0.2.7", uiPort: "80" }, ["192.0.2.7"]],
    [{ uiHost: "192.0.2.7", uiPort: 443, https: {} }, ["192.0.2.7"]],
    [{ uiHost: "Here.example" }, ["here.example:1880"]],
    [{ uiHost: "2001:db8::7", uiPort: 1880 }, ["[2001:db8::7]:1880"]],
    [{ uiHost: "0.0.0.0", uiPort: 1880 }, []],
    [{ uiHost: "::", uiPort: 1880 }, []],
    [{ uiPort: 1880 }, []],
    [{ uiHost: "no host" }, []],
  ] as const)
    it(`${JSON.stringify(settings)}: ${hosts.join() || "loopback only"}`, () =>
      deepStrictEqual(ownServer(settings).hosts, hosts));

  it("is where its sandbox may ask", async () => {
    const RED = { _: String, log: { info: () => {} }, settings: { uiHost: "192.0.2.7", uiPort: 1880 } };
    try {
      await openTenant(RED as unknown as NodeAPI, { id: "t9", mode: "sandbox" }, {} as never).client?.opened;
      deepStrictEqual((await sandboxOf("t9"))?.state.allowedHosts, ["192.0.2.7:1880"]);
      strictEqual((await sandboxOf("t9"))?.state.own.port, 1880);
    } finally {
      await closeTenant("t9");
    }
  });
});

describe("the sandbox of a tenant that is deployed with bad settings", () => {
  withTenant();
  const flow = (tenant: Record<string, unknown>) =>
    flowOf(tenant, { id: "n1", type: "call-stop", tenant: "t1", wires: [["out"]] });
  const reach = async (url: string) => (await fetch(`${url}/sandbox/log`).catch(() => undefined))?.status;

  it("of a live tenant: listens no more", async () => {
    await load(flow({ mode: "sandbox" }));
    const { url = "" } = (await sandboxOf("t1")) ?? {};
    strictEqual(await reach(url), 200);
    await redeploy(flow({ mode: "live", url: "no address" }));
    let answer: number | undefined = 200;
    await until(() => {
      void reach(url).then((status) => {
        answer = status;
      });
      return answer === undefined;
    }, "the sandbox has stopped");
  });

  it("of a sandbox: keeps its calls until they are right", async () => {
    await load(flow({ mode: "sandbox" }));
    await pass({ payload: { callId: "c1" } });
    await redeploy(flow({ mode: "sandbox", timeout: "0" }));
    strictEqual((await fail({ payload: { callId: "c2" } })).code, "ERR_CONFIG");
    await redeploy(flow({ mode: "sandbox" }));
    deepStrictEqual(
      (await sandboxOf("t1"))?.state.calls.newest().map(({ callId }) => callId),
      ["c1"],
    );
  });
});

describe("the sandbox of a tenant whose port is taken", () => {
  withTenant();
  let taken: Server;
  let port: number;

  beforeEach(async () => {
    clear();
    port = await freePort();
    taken = createServer().listen(port, "127.0.0.1");
    await once(taken, "listening");
  });
  afterEach(() => void taken.close());

  const flow = (tenant: Record<string, unknown> = {}) =>
    flowOf(
      { mode: "sandbox", ...tenant },
      { id: "n1", type: "call-stop", tenant: "t1", wires: [["out"]] },
      { id: "k1", type: "telephony-control", tenant: "t1", wires: [["out"]] },
    );
  const stop = (callId: string) => ({ payload: { callId } });
  const calls = async () => (await sandboxOf("t1"))?.state.calls.newest().map(({ callId }) => callId);

  it("is reported at deploy, without a message, in the log and under its nodes", async () => {
    await load(flow({ sandboxPort: port }));
    const statuses = [statusesOf("n1"), statusesOf("k1")];
    await until(() => statuses.every((shown) => shown.at(-1)?.fill === "red"), "both are red");
    await until(() => errors().length > 0, "a line in the log");
    deepStrictEqual(
      errors().map((text) => text.endsWith("errors.config.sandboxPort")),
      [true],
    );
  });

  it("remembers its calls until it has a port again", async () => {
    await load(flow());
    await pass(stop("c1"));
    await redeploy(flow({ sandboxPort: port }));
    strictEqual((await fail(stop("c2"))).code, "ERR_CONFIG");
    await redeploy(flow());
    deepStrictEqual(await calls(), ["c1"]);
  });

  it("tries the same port again at the next deploy", async () => {
    await load(flow({ sandboxPort: port }));
    strictEqual((await fail(stop("c1"))).code, "ERR_CONFIG");
    taken.close();
    await once(taken, "close");
    await redeploy(flow({ sandboxPort: port }));
    await pass(stop("c2"));
    strictEqual((await sandboxOf("t1"))?.port, port);
  });
});
