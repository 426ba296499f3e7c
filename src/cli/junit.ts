import { type RunFile, reasonsOf, whyRed } from "./results";

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
  const errors = tests.filter(({ outcome }) => outcome instanceof Error).length;
  const failures = tests.filter(({ outcome }) => !(outcome instanceof Error) && !outcome.result.isGreen).length;
  return `tests="${tests.length}" failures="${failures}" errors="${errors}"`;
}

function testCase(file: string, { name, outcome }: RunFile["tests"][number]): string {
  const start = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  if (outcome instanceof Error) return `${start}>${problem("error", reasonsOf(outcome))}</testcase>\n`;
  return outcome.result.isGreen ? `${start}/>\n` : `${start}>${problem("failure", whyRed(outcome))}</testcase>\n`;
}

function problem(kind: "error" | "failure", lines: readonly string[]): string {
  const first = (lines[1] ?? lines[0] ?? "").replace(/ +│/, " │");
  return `<${kind} message="${escaped(first)}">${escaped(lines.join("\n"))}</${kind}>`;
}

/** XML has no way to write the other characters. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(UNWRITABLE, "\uFFFD").replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
