import { kindAt } from "../phone/chance";
import { FAULT_KINDS, type FaultKind, type SandboxSettings } from "../phone/settings";
import { type Answer, refused } from "../service/envelope";

/** How long a slow answer takes. Milliseconds. */
const SLOW_MS = 5000;
/** After how many seconds a limited client may come again. */
const RETRY_AFTER = "2";

/** What becomes of a request that fails. */
export interface RandomFault {
  readonly kind: FaultKind;
  /** Answered instead of carrying the request out. */
  readonly answer?: Answer;
  readonly delayMs?: number;
  /** The request is carried out, but its answer is lost. */
  readonly isLost?: true;
}

const FAULTS: Readonly<Record<FaultKind, () => Omit<RandomFault, "kind">>> = {
  refusedToken: () => ({ answer: refused(401, "The sandbox was asked to refuse the token.") }),
  busy: () => ({ answer: refused(503, "The sandbox was asked to be busy.") }),
  slow: () => ({ delayMs: SLOW_MS }),
  lost: () => ({ isLost: true }),
  rateLimited: () => ({
    answer: refused(429, "The sandbox was asked to limit the rate.", { "retry-after": RETRY_AFTER }),
  }),
  wrongStyle: () => ({ answer: refused(422, "The to.number field is required. The to.type field is required.") }),
};

/**
 * The fault of one request, by the share of each kind.
 * @param hasParties whether the request names parties: no other one can have the wrong style
 * @param draw gives a number from 0 up to 1
 */
export function randomFault(
  shares: SandboxSettings["faults"],
  hasParties: boolean,
  draw: () => number,
): RandomFault | undefined {
  const kind = kindAt(FAULT_KINDS, shares, 100, draw);
  if (kind === undefined || (kind === "wrongStyle" && !hasParties)) return undefined;
  return { kind, ...FAULTS[kind]() };
}
