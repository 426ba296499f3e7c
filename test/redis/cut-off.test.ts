import assert from "node:assert/strict";
import { Route } from "../support/backlog/route";
import { go } from "../support/process/campaign";
import { eventually, LONG_MS } from "../support/process/eventually";
import { end, incident, incidentFlow } from "../support/process/incident-flow";
import type { FlowNode } from "../support/process/node-red";
import { sharing } from "../support/process/sharing";

/** The ways in which an instance is cut off from Redis. Returns what ends that. */
const WAYS: Readonly<Record<string, (route: Route) => () => void>> = {
  closed: (route) => {
    route.refuse();
    return () => route.recover();
  },
  silent: (route) => {
    route.swallow();
    return () => route.recover();
  },
  "sent late": (route) => route.hold("sent"),
  "answered late": (route) => route.hold("answered"),
};
const NAMES = Object.keys(WAYS);
const numberOf = (way: string) => `000000001${NAMES.indexOf(way)}`;

/** docs/contract/escalate.md: longer than a lease. */
describe("a Node-RED that is cut off from the Redis of its incidents", () => {
  const held = sharing();

  /** The flow of an incident, with a tenant and a node for each way of being cut off. Each message is for all of them. */
  function flow(urls: readonly string[]): FlowNode[] {
    const nodes = incidentFlow({}, { ringFor: "8", rounds: "2" });
    const call = nodes.find(({ id }) => id === "call") as FlowNode;
    const others = nodes.filter(({ id }) => !["call", "tenant", "control"].includes(id));
    // What leads to the node, or watches it, is about each of them.
    const each = JSON.stringify(others).replaceAll('"call"', NAMES.map((way) => `"call ${way}"`).join());
    return [
      ...JSON.parse(each),
      ...NAMES.flatMap((way, index) => [
        {
          ...{ id: `tenant ${way}`, type: "telephony-tenant", url: held.tenant.url, fromNumber: numberOf(way) },
          ...{ engine: "redis", group: `cut ${way} ${held.group}` },
          credentials: { token: "token-of-the-cut", redisUrl: urls[index] },
        },
        { ...call, id: `call ${way}`, tenant: `tenant ${way}`, key: way, keyType: "str" },
      ]),
    ];
  }

  /** The people whom each tenant has called, in order. */
  const dialled = () => {
    const bodies = held.tenant.received.filter(({ method }) => method === "POST").map(({ text }) => JSON.parse(text));
    return NAMES.map((way) =>
      bodies
        .filter((body) => body["from.number"] === numberOf(way))
        .map((body) => "ABCJ"[Number(String(body["to.number"]).at(-1))])
        .join(""),
    );
  };
  const untilEach = (is: (calls: string, way: number) => boolean) =>
    eventually(() => dialled().every(is) || undefined, LONG_MS);
  it("neither calls nor reports what another one has ended, nor does it count a failing Redis as a call", async () => {
    const routes = NAMES.map(() => new Route(held.redis.port));
    try {
      const [first, second] = await Promise.all([held.one.start(), held.other.start()]);
      await first.deploy(flow(await Promise.all(routes.map((route) => route.open()))));
      await second.deploy(flow(NAMES.map(() => held.redis.url)));
      await go(first, incident("i"));
      await untilEach((calls) => calls === "A");
      const restores = NAMES.map((way, index) => WAYS[way]?.(routes[index] as Route));
      // The lease has run out, and the other one has gone on with the next person. What still arrives renews the lease.
      await untilEach((calls, way) => calls.length > 1 || NAMES[way] === "answered late");
      await end(second, "i");
      await eventually(() => held.other.results.length === NAMES.length - 1 || undefined, LONG_MS);
      const before = dialled();
      for (const restore of restores) restore?.();
      // A new incident begins as soon as the earlier one is gone. Where that is sooner, it may be called about again.
      const people = Array.from({ length: 6 }, () => ({ name: "J", number: "0000000003" }));
      await eventually(async () => {
        await go(first, incident("j", { people }));
        return dialled().every((calls, way) => calls.length > (before[way] ?? "").length) || undefined;
      }, LONG_MS);
      assert.deepEqual(
        dialled().map((calls) => calls.replace(/J+$/, "")),
        before,
      );
      await end(first, "j");
      const ended = () => [...held.one.results, ...held.other.results];
      await eventually(() => ended().length === 2 * NAMES.length || undefined, LONG_MS);
      const reports = ended().map(({ id, as, message }) => {
        const { key, over, rung = [] } = Object(message["payload"]);
        return [id, key, as, over, rung.some(({ code }: { code: string }) => code === "ERR_ENGINE")].join(" ");
      });
      assert.deepEqual(
        reports.sort(),
        ["i", "j"].flatMap((id) => NAMES.toSorted().map((way) => `${id} ${way} ok true false`)),
      );
    } finally {
      for (const route of routes) route.close();
    }
  });
});
