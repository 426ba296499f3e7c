import { equal } from "node:assert/strict";
import { notSent, TenantError } from "../../../src/client";
import { judge, probeAnswerOf } from "../../../src/client/queue/trouble";
import { troubleContract } from "../../support/backlog/trouble-contract";
import { failed } from "../../support/business-hours";
import { ENGINES } from "../backlog/engines";

for (const [engine, tested] of Object.entries(ENGINES))
  describe(`call-outs while the service fails, with a backlog in ${engine}`, () => troubleContract(tested));

describe("the answer of a service that fails", () => {
  for (const httpStatus of [401, 429, 500, 503, undefined, 400, 403, 404])
    it(`to a probe ends the hold, or not: ${httpStatus}`, () => {
      const result = failed(notSent("ERR_REJECTED", "parse", httpStatus === undefined ? {} : { httpStatus }));
      equal(probeAnswerOf(result).isAnswered, [400, 403, 404].includes(httpStatus ?? 0));
    });

  for (const outcome of ["not-applied", "unknown"] as const)
    it(`lets a call wait again only if nothing was done: ${outcome}`, () => {
      const error = new TenantError("ERR_CONNECT", "connect", { sent: "no", outcome, retryable: false });
      const turn = { isPatient: true, entry: {} };
      const backlog = { service: { isProven: true, fineAt: 0, now: () => 0 }, isLastRow: () => false };
      equal(judge(turn as Parameters<typeof judge>[0], failed(error), true, backlog).waitsAgain, outcome !== "unknown");
    });
});
