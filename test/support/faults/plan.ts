import { type Choice, resolve } from "./catalogue";
import {
  type AcceptFault,
  type CertificateFault,
  type ExchangeFault,
  type Fault,
  isConnection,
  isExchange,
} from "./fault";
import type { RequestRecord } from "./ledger";

/** Decides what happens to each connection and request. Asked at three moments, each time as late as the choice allows. */
export interface Plan {
  /** A connection was accepted: undefined lets it be served. */
  onAccept(): AcceptFault | CertificateFault | undefined;
  /** A request's first byte came: undefined waits for the whole request. */
  onRequestBegun(): ExchangeFault | undefined;
  /** A request is whole, and nothing was decided before. */
  onRequest(request: RequestRecord): ExchangeFault;
}

/** The same for everybody. */
export function always(choice: Choice): Plan {
  const fault = resolve(choice);
  return isExchange(fault)
    ? { onAccept: () => undefined, onRequestBegun: () => fault, onRequest: () => fault }
    : { onAccept: () => fault, onRequestBegun: () => undefined, onRequest: () => exchange("good") };
}

/** The fault for the whole request. A fault for an earlier moment is applied late; one for a fresh connection cannot be. */
export function byRequest(choose: (request: RequestRecord) => Choice): Plan {
  return {
    onAccept: () => undefined,
    onRequestBegun: () => undefined,
    onRequest: (request) => exchange(choose(request)),
  };
}

/** Takes one choice after the other, each used up by the connection or request that it affects; the last one stays. */
export function inTurn(...choices: [Choice, ...Choice[]]): Plan {
  const left = choices.map(resolve);
  const take = <F extends Fault>(fits: (fault: Fault) => fault is F): F | undefined => {
    const next = left[0] as Fault;
    if (!fits(next)) return undefined;
    if (left.length > 1) left.shift();
    return next;
  };
  return {
    onAccept: () => take(isConnection),
    onRequestBegun: () => take(isExchange),
    // Reached when a connection fault is next, and the request came over a connection from before.
    onRequest: () => exchange("good"),
  };
}

function exchange(choice: Choice): ExchangeFault {
  const fault = resolve(choice);
  if (!isExchange(fault)) throw new Error(`${fault.name ?? fault.at} cannot strike once a request is there`);
  return fault;
}
