import { limits } from "../service/choices";
import type { Answer } from "../service/envelope";
import { refusals } from "../service/refusals";
import type { Body } from "./request-body";

/** The refusal of a body that is not JSON, says that it is not, or is too large; undefined for a good one. */
export function notJson(contentType: string | undefined, body: Body): Answer | undefined {
  if (body.bytes > limits.bodyBytes) return refusals.bodyTooLarge();
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? "")) return refusals.notJsonType();
  return body.value === undefined ? refusals.notJson() : undefined;
}
