import { notJson } from "../http/json-only";
import { isOwnOrigin } from "../http/loopback";
import { sandboxPage, sandboxPageHeaders } from "../http/page";
import { envelopeReply, listReply, type Reply } from "../http/reply";
import { type Answer, accepted } from "../service/envelope";
import { refusals } from "../service/refusals";
import type { SandboxState } from "../service/state";
import { type Trouble, type Troublemaker, troubleProblems } from "./faults";
import type { Heard } from "./request-log";

/** A request to the sandbox itself, at `/sandbox`: to see what happened and to make trouble. It needs no token. */
export interface DeskRequest extends Heard {
  readonly host: string;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
}

type Desk = (request: DeskRequest, state: SandboxState, troublemaker: Troublemaker) => Reply;
type Methods = Readonly<Partial<Record<string, Desk>>>;

const desks: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ["/sandbox", { GET: () => ({ status: 200, headers: sandboxPageHeaders, body: sandboxPage }) }],
  ["/sandbox/log", { GET: ({ query }, { log }) => listReply(log.newest(limitOf(query))) }],
  ["/sandbox/calls", { GET: ({ query }, { calls }) => listReply(calls.newest(limitOf(query))) }],
  ["/sandbox/trouble", { POST: (request, _state, troublemaker) => envelopeReply(makeTrouble(request, troublemaker)) }],
]);

export function isDesk(path: string): boolean {
  return path === "/sandbox" || path.startsWith("/sandbox/");
}

export function answerDesk(request: DeskRequest, state: SandboxState, troublemaker: Troublemaker): Reply {
  const methods = desks.get(request.path);
  if (!methods) return envelopeReply(refusals.unknownPath(request.path));
  const desk = methods[request.method];
  if (!desk) return envelopeReply(refusals.wrongMethod(request.method, Object.keys(methods)));
  return desk(request, state, troublemaker);
}

/** `?limit=100` asks for the newest hundred: the page has no use for ten thousand calls every two seconds. */
function limitOf(query: URLSearchParams): number | undefined {
  const limit = query.get("limit") ?? "";
  return /^\d{1,6}$/.test(limit) ? Number(limit) : undefined;
}

/** A form on a foreign page can post here without asking, but neither as JSON nor without its Origin. */
function makeTrouble({ contentType, origin, host, body }: DeskRequest, troublemaker: Troublemaker): Answer {
  if (!isOwnOrigin(origin, host)) return refusals.foreignOrigin();
  const refusal = notJson(contentType, body);
  if (refusal) return refusal;
  const problems = troubleProblems(body.value);
  if (problems.length > 0) return refusals.badFields(problems);
  troublemaker.set(body.value as Trouble);
  return accepted(null);
}
