import { good } from "./answers";
import { type FaultName, faults } from "./catalogue";
import { isConnection, isExchange } from "./fault";
import type { Plan } from "./plan";
import { generator } from "./seed";

export interface MixOptions {
  /** Makes the same draws again; see {@link announcedSeed}. */
  seed: number;
  /** The faults; each is drawn as often as the next one. Those that need TLS only on a server that has it. */
  names: FaultName[];
  /** Share of requests with a fault, 0 to 1. */
  faulty?: number;
  /** Share of connections with a fault before any request; by default, the share of requests. */
  faultyConnections?: number;
  /** The frequency with which a fault that holds the connection is drawn, next to 1 for any other. */
  holding?: number;
}

/**
 * Mixes good answers and random faults. The draws repeat with the seed; which request gets which follows the order of
 * arrival, so it does not repeat when many are in flight.
 */
export function mix({ seed, names, faulty = 0.5, faultyConnections = faulty, holding = 0.1 }: MixOptions): Plan {
  const random = generator(seed);
  const weight = (fault: { holds?: true }) => (fault.holds ? holding : 1);
  const drawer = <F extends { holds?: true }>(pool: F[], share: number) => {
    const total = pool.reduce((sum, fault) => sum + weight(fault), 0);
    return (): F | undefined => {
      if (random() >= share) return undefined;
      let rest = random() * total;
      return pool.find((fault) => {
        rest -= weight(fault);
        return rest < 0;
      });
    };
  };
  const chosen = names.map((name) => faults[name]);
  const onConnection = drawer(chosen.filter(isConnection), faultyConnections);
  const onRequest = drawer(chosen.filter(isExchange), faulty);
  return {
    onAccept: onConnection,
    onRequestBegun: () => onRequest() ?? good,
    onRequest: () => good,
  };
}
