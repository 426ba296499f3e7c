import { html, type Markup } from "../page/markup";
import { countsOf, type RunFile, reasonsOf, verdictOf } from "./results";

/** XML has no way to write the other characters. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** The results as JUnit XML, which build servers read. */
export function junitOf(files: readonly RunFile[]): string {
  const suites = files.map(
    ({ file, tests }) => html`  <testsuite ${counts(tests)} name="${file}">
${tests.map((test) => testCase(file, test))}  </testsuite>
`,
  );
  const all = html`<testsuites ${counts(files.flatMap(({ tests }) => tests))}>\n${suites}</testsuites>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${all.html.replaceAll(UNWRITABLE, "\uFFFD")}`;
}

function counts(tests: RunFile["tests"]): Markup {
  const { red, unrun } = countsOf(tests);
  return html`tests="${tests.length}" failures="${red}" errors="${unrun}"`;
}

function testCase(file: string, { name, outcome }: RunFile["tests"][number]): Markup {
  const start = html`    <testcase classname="${file}" name="${name}"`;
  const verdict = verdictOf(outcome);
  if (verdict === "green") return html`${start}/>\n`;
  const kind = verdict === "red" ? "failure" : "error";
  const lines = reasonsOf(outcome);
  const first = (lines[1] ?? lines[0] ?? "").replace(/ +│/, " │");
  return html`${start}><${kind} message="${first}">${lines.join("\n")}</${kind}></testcase>\n`;
}
