import { type Finding, lint } from "../workshop/lint";
import { commandLine, UsageError } from "./command-line";
import { readFlowFile } from "./files";
import { checkUserDir } from "./options";

const usage = (command: string) => `Usage: ${command} FLOWS.json… [--json] [--strict] [--user-dir DIR]

Finds mistakes in flow files: what the nodes would refuse, and what rings a phone twice or not at all. Name all files of a
Node-RED together, because a node and its tenant may be in different ones.

  --json              print {"findings": [{file, nodeId, node, type, rule, severity, message}]}
  --strict            exit with 1 for warnings, too
  --user-dir <folder> the user folder of Node-RED: also names node types that it does not have
  --help, -h          show this text

Exit code 0: no errors; 1: errors; 2: a file is no JSON or no flow.
`;

export async function run(command: string, args: readonly string[]): Promise<number> {
  const options = { json: { type: "boolean" }, strict: { type: "boolean" }, "user-dir": { type: "string" } } as const;
  const given = commandLine(command, usage(command), { args, allowPositionals: true, options });
  if (!given) return 0;
  const { values, positionals } = given;
  if (positionals.length === 0) throw new UsageError(`Name a flow file. See ${command} --help.`);
  checkUserDir(values["user-dir"]);
  const { nodes } = require("../../nodes/index") as typeof import("../../nodes/index");
  const files = [...new Set(positionals)].map((file) => ({ file, nodes: readFlowFile(file, { mayBeEmpty: true }) }));
  const findings = lint(files, nodes, values["user-dir"]);
  process.stdout.write(values.json ? `${JSON.stringify({ findings })}\n` : inLines(findings));
  return findings.some(({ severity }) => severity === "error" || values.strict) ? 1 : 0;
}

function inLines(findings: readonly Finding[]): string {
  const lines = findings.map(({ file, nodeId, node, type, rule, severity, message }) => {
    return `${file}: ${severity}: ${type} "${node}" (${nodeId}): ${message} [${rule}]\n`;
  });
  const counted = (kind: Finding["severity"]) => {
    const { length } = findings.filter(({ severity }) => severity === kind);
    return `${length} ${kind}${length === 1 ? "" : "s"}`;
  };
  return `${lines.join("")}${counted("error")}, ${counted("warning")}\n`;
}
