import type { Reply } from "../../support/live-tenant";
import { give, seen, until } from "../../support/stage";
import { callsOfTenant } from "../schedules/requests";

/** A node that calls people in turn, each for a second, once. Further properties may change that. */
export const escalate = (more: Record<string, unknown> = {}) => ({
  id: "n1",
  type: "call-escalate",
  tenant: "t1",
  fromNumber: "0000000001",
  fromNumberType: "str",
  answerUrl: "https://example.com/answer",
  answerUrlType: "str",
  ringFor: "1",
  rounds: "1",
  wires: [["out"], ["closed"]],
  ...more,
});

export const PEOPLE = ["A", "B", "C"].map((name, index) => ({ name, number: `000000000${index}` }));

/** The first message of an incident. */
export const incident = (key = "k", people: unknown = PEOPLE) => ({ payload: { key, people }, kept: "yes" });

export const acknowledge = (by: unknown = true, key = "k") => give({ payload: { key }, acknowledge: by });

/** Prepares a suite about one node: the tenant, and the numbers that it was asked to call. */
export function incidents() {
  const calls = callsOfTenant();
  return {
    ...calls,
    tenant: () => calls.held.tenant,
    /** Answers each number as given, others with success. */
    answers: (replies: Readonly<Record<string, Reply>>) =>
      calls.held.tenant.answers(({ body }) => replies[String(Object(body)["to.number"])] ?? {}),
    untilDialled: (count: number) => until(() => calls.dialled().length >= count, `${count} calls`),
  };
}

/** The one message that an incident ends with, and at which output. */
export async function ending() {
  await until(() => seen.out.length + seen.closed.length + seen.caught.length > 0, "the incident has ended");
  const [out, closed, caught] = [seen.out[0], seen.closed[0], seen.caught[0]];
  const message = out ?? closed ?? caught;
  if (!message || seen.out.length + seen.closed.length + seen.caught.length !== 1)
    throw new Error(`expected one message: ${JSON.stringify(seen)}`);
  return { at: out ? "acknowledged" : closed ? "nobody" : "caught", message };
}

/** The calls of a report in short. */
export const rung = ({ payload }: { readonly payload?: unknown }) =>
  (Object(payload).rung as { name: string; outcome: string; round: number }[]).map(
    ({ name, outcome, round }) => `${round} ${name} ${outcome}`,
  );
