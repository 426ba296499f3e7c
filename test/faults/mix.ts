import { type FaultName, faults } from "./catalogue.js";
import { isExchange } from "./fault.js";
import { always, type Plan } from "./plan.js";
import { generator } from "./seed.js";

export interface MixOptions {
  /** Makes the same draws again; see {@link announcedSeed}. */
  seed: number;
  /** Which faults; each is drawn as often as the next one. Those that need TLS only on a server that has it. */
  names: FaultName[];
  /** Share of requests that meet a fault, 0 to 1. */
  faulty?: number;
  /** How often a fault that holds the connection is drawn, next to 1 for any other. */
  holding?: number;
}

/**
 * Good answers and random faults. The draws repeat with the seed; which request meets which draw follows the order of
 * arrival, and so does not when many are under way.
 */
export function mix({ seed, names, faulty = 0.5, holding = 0.1 }: MixOptions): Plan {
  const random = generator(seed);
  const drawn = names.map((name) => faults[name]);
  const weight = (name: FaultName) => (faults[name].holds ? holding : 1);
  const total = names.reduce((sum, name) => sum + weight(name), 0);
  const good = always("good");

  /** One point on the line of all weights: where it falls outside the pool, the other moment's faults would have been. */
  const draw = <F extends { name: FaultName }>(pool: F[]): F | undefined => {
    if (random() >= faulty) return undefined;
    let rest = random() * total;
    for (const fault of pool) {
      rest -= weight(fault.name);
      if (rest < 0) return fault;
    }
    return undefined;
  };
  const onRequests = drawn.filter(isExchange);
  const onConnections = drawn.filter((fault) => !isExchange(fault));
  return {
    onAccept: () => draw(onConnections) as ReturnType<Plan["onAccept"]>,
    onRequestBegun: () => draw(onRequests) ?? good.onRequestBegun(),
    onRequest: (request) => good.onRequest(request),
  };
}
