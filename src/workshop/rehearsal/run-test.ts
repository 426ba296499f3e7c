import { checkTest, type TestResult } from "./check";
import type { FlowTest } from "./flow-test";
import type { Rehearsal, RehearsalOptions } from "./rehearsal";
import { rehearse } from "./rehearse";
import { CannotRehearse } from "./world";

export interface RunTest {
  readonly result: TestResult;
  readonly rehearsal: Rehearsal;
}

/**
 * Rehearses what a test describes, and checks it. A rehearsal that broke off is red whatever was found until then.
 * @throws CannotRehearse also where the test names a node that is not in the flow, or a node could not start
 */
export async function runTest(
  test: FlowTest,
  options: Pick<RehearsalOptions, "flows" | "userDir" | "limit" | "running" | "signal">,
): Promise<RunTest> {
  const { from, until, days, seed, world, when = [] } = test;
  const rehearsal = await rehearse({
    ...options,
    from,
    until: until ?? days,
    seed,
    world: { ...world, inputs: [...when, ...(world?.inputs ?? [])] },
    watch: test.then.flatMap((entry) => ("reaches" in entry ? [entry.reaches] : [])),
  });
  const { report, notStarted, reached } = rehearsal;
  if (notStarted.length > 0) throw new CannotRehearse(notStarted.join(" "));
  const result = checkTest(test, report, reached);
  return { result: { ...result, isGreen: result.isGreen && report.brokenOff === null }, rehearsal };
}
