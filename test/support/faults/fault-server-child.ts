import { FaultServer } from "./fault-server";
import type { Order, Reply, Request } from "./fault-server-process";
import { mix } from "./mix";
import { always, inTurn, type Plan } from "./plan";

let server: FaultServer;

async function obey(request: Request): Promise<void> {
  switch (request.ask) {
    case "start":
      server = await FaultServer.start(request.options);
      break;
    case "behave":
      server.behave(planOf(request.order));
      break;
    case "restart":
      await server.restart(request.downMs);
      break;
    case "listen":
      await server.listen();
      break;
    case "refuse":
      server.refuse();
      break;
    case "ledger":
      break;
  }
}

function planOf(order: Order): Plan {
  if ("always" in order) return always(order.always);
  if ("inTurn" in order) return inTurn(...order.inTurn);
  return mix(order.mix);
}

async function answer(request: Request): Promise<void> {
  await obey(request);
  const connections = request.ask === "ledger" ? server.ledger.connections : [];
  process.send?.({ url: server.url, connections } satisfies Reply);
}

// An error ends this process, and rejects the parent's request.
process.on("message", (request: Request) => void answer(request));
// Without its parent, this process is of no use.
process.on("disconnect", () => process.exit());
