import { countsOf, type RunFile, reasonsOf, verdictOf } from "./results";

/** The results as JUnit XML, which build servers read. */
export function junitOf(files: readonly RunFile[]): string {
  const suites = files.map(
    ({ file, tests }) => `  <testsuite ${counts(tests)} name="${escaped(file)}">
${tests.map((test) => testCase(file, test)).join("")}  </testsuite>
`,
  );
  const all = files.flatMap(({ tests }) => tests);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts(all)}>\n${suites.join("")}</testsuites>\n`;
}

function counts(tests: RunFile["tests"]): string {
  const { red, unrun } = countsOf(tests);
  return `tests="${tests.length}" failures="${red}" errors="${unrun}"`;
}

function testCase(file: string, { name, outcome }: RunFile["tests"][number]): string {
  const start = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  const verdict = verdictOf(outcome);
  if (verdict === "green") return `${start}/>\n`;
  const kind = verdict === "red" ? "failure" : "error";
  const lines = reasonsOf(outcome);
  const first = (lines[1] ?? lines[0] ?? "").replace(/ +│/, " │");
  return `${start}><${kind} message="${escaped(first)}">${escaped(lines.join("\n"))}</${kind}></testcase>\n`;
}

/** XML has no way to write the other characters. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(UNWRITABLE, "\uFFFD").replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
