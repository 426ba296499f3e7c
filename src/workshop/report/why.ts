import type { Rehearsal } from "../rehearsal/rehearse";
import type { Key, ReportTexts } from "./texts";

/** Explains in a sentence why nothing was called, if nothing was. */
export function whyNothing(texts: ReportTexts, { report, closed }: Rehearsal): string | undefined {
  const { calls, brokenOff, inputs } = report;
  if (calls.length > 0 || brokenOff !== null) return undefined;
  const [missed] = report.notPlaced;
  const [error] = report.errors;
  const of = (node: string, reason: string) => texts.text("whyNot", { node, reason });
  if (missed?.code === null)
    return texts.text("whyWaits", { node: missed.node, reason: texts.text(missed.reason as Key) });
  if (missed) return of(missed.node, missed.reason);
  if (error) return of(error.node, error.message);
  const refused = inputs.find(({ status }) => status !== null && status >= 400);
  if (refused) return texts.text("whyRefused", { target: refused.target, status: String(refused.status) });
  if (closed?.opensAt)
    return texts.text("whyClosedUntil", { node: closed.node, at: texts.time(closed.opensAt, "minute") });
  if (closed) return texts.text("whyClosed", { node: closed.node });
  return texts.text(inputs.length === 0 ? "whyNoInput" : "whyNowhere");
}
