import { extname } from "node:path";
import { type Rehearsal, rehearse } from "../workshop/rehearsal/rehearse";
import { readWorld } from "../workshop/rehearsal/world";
import { htmlOf } from "../workshop/report/html";
import { LANGUAGES } from "../workshop/report/texts";
import { choiceOption, commandLine, numberOption, UsageError } from "./command-line";
import { checkWritable, readFileAs, readFlowFile, writeText } from "./files";
import { checkTypes, REHEARSING, rehearsing, rehearsingHelp } from "./options";
import { minuteOf, summaryOf } from "./summary";

const usage = `Usage: telephony rehearse FLOWS.json [--from ISO] [--days N | --until ISO] [--seed N] [--flow NAME]...
                          [--world WORLD.json] [--report FILE]... [--language TAG] [--user-dir DIR] [--limit SECONDS]

Runs flows with a clock that jumps, against simulated phones, and reports whom they would call. No phone rings, and
nothing leaves this machine.

  --from <ISO>        first instant, such as 2026-12-01T08:00; without offset in the zone of the first tenant
                      (default: now, to the minute)
  --days <N>          how many days (default 7)
  --until <ISO>       last instant, instead of --days
  --seed <N>          decides what happens by chance; the same number gives the same calls (default 1)
  --flow <name>       a flow (tab) that is rehearsed, with what it reaches in others, by name or id (default: all).
                      May be given several times.
  --world <file>      what surrounds the flow: environment, context, schedules, phones, faults, what comes in
  --report <file>     writes the report; the file ends in .html or .json. May be given several times.
                      Without it, a summary is printed.
  --language <tag>    of the .html report: ${LANGUAGES.join(", ")} (default en)
${rehearsingHelp()}
Exit code 0: rehearsed. 1: rehearsed with errors that no Catch node took, or ended early. 2: could not be rehearsed.
docs/rehearse.md describes worlds and reports.
`;

const WRITERS: Readonly<Record<string, (rehearsal: Rehearsal, language: string) => string>> = {
  ".html": (rehearsal, language) => htmlOf(rehearsal, { language }),
  ".json": ({ report }) => `${JSON.stringify(report, null, 2)}\n`,
};

export async function run(name: string, args: readonly string[]): Promise<number> {
  const given = commandLine(name, usage, {
    args,
    allowPositionals: true,
    options: {
      from: { type: "string" },
      days: { type: "string" },
      until: { type: "string" },
      seed: { type: "string" },
      flow: { type: "string", multiple: true, default: [] },
      world: { type: "string" },
      report: { type: "string", multiple: true, default: [] },
      language: { type: "string", default: "en" },
      ...REHEARSING,
    },
  });
  if (!given) return 0;
  const { values, positionals } = given;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError(`Name one flow file. See ${name} --help.`);
  if (values.days !== undefined && values.until !== undefined)
    throw new UsageError("Use either --days or --until, not both.");
  for (const report of values.report) {
    if (!Object.hasOwn(WRITERS, extname(report)))
      throw new UsageError(
        `The report must be a file that ends in ${Object.keys(WRITERS).join(" or ")}, not "${report}".`,
      );
    checkWritable(report);
  }
  const language = choiceOption("language", values.language, LANGUAGES);
  const days = numberOption("days", values.days, 1, 3660);
  const { world } = values;
  const options = rehearsing(values);
  const flows = readFlowFile(file);
  checkTypes(file, flows, options.userDir);
  const rehearsal = await rehearse({
    flows,
    from: values.from,
    until: values.until ?? days,
    tabs: values.flow,
    seed: numberOption("seed", values.seed, 0, 2 ** 32 - 1),
    world: world === undefined ? undefined : readFileAs(world, readWorld),
    ...options,
    onProgress: (at, calls) => showProgress(`${minuteOf(at)}  calls: ${calls}`),
  });
  showProgress("");
  for (const report of values.report) {
    writeText(report, WRITERS[extname(report)]?.(rehearsal, language) ?? "");
    process.stdout.write(`Written: ${report}\n`);
  }
  if (values.report.length === 0) process.stdout.write(summaryOf(rehearsal));
  else {
    process.stdout.write(`Ran Node-RED ${rehearsal.report.nodeRed} (${rehearsal.nodeRedPath})\n`);
    for (const note of rehearsal.notes) process.stderr.write(`${name}: ${note}\n`);
  }
  const { brokenOff, errors } = rehearsal.report;
  if (brokenOff !== null) process.stderr.write(`${name}: ${brokenOff}\n`);
  return brokenOff !== null || errors.length > 0 ? 1 : 0;
}

/** Shows progress in one line that is written over; only to a person at a terminal. */
function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
