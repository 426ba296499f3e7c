import { randomBytes } from "node:crypto";
import { isToken } from "../sandbox/http/access";
import { Sandbox } from "../sandbox/http/server";
import { SandboxState } from "../sandbox/inspect/state";
import { choiceOption, commandLine, numberOption, UsageError, version } from "./command-line";

const usage = (command: string) => `Usage: ${command} [--port 4010] [--token secret] [--answers ask] [--parties nested]
${" ".repeat(7 + command.length)}[--booleans digits]

Runs a simulated tenant of the telephony service on this machine. No phone rings.

  --port <port>    port on 127.0.0.1, 0 for any free one (default 4010)
  --token <token>  access token that requests must carry (default: a random one)
  --answers <who>  who answers calls: everybody, after a moment (default), nobody, or ask, whoever looks at the page
  --parties <style>
                   how parties must be given: dotted, {"to.number": "12"}, nested, {"to": {"number": "12"}}, as a tenant
                   that reads the dots as a path, or either (default)
  --booleans <style>
                   how booleans in a query must be given: words, true and false, digits, 1 and 0, or either (default)
  --help, -h       show this text
  --version        show the version

See its calls at /sandbox, and answer them there; as JSON they are at /sandbox/calls and /sandbox/log. To make its next
requests fail, POST JSON to /sandbox/faults: {"times": 2, "status": 503}, optionally with "path", "retryAfter" or
"delayMs"; {"times": 0} ends it. docs/contract/sandbox.md lists the other requests.
`;

/** Runs a simulated tenant until a signal ends it. */
export async function run(command: string, args: readonly string[]): Promise<number> {
  const given = commandLine(command, usage(command), {
    args,
    options: {
      port: { type: "string", default: "4010" },
      token: { type: "string", default: randomBytes(18).toString("base64url") },
      answers: { type: "string", default: "everybody" },
      parties: { type: "string", default: "either" },
      booleans: { type: "string", default: "either" },
      version: { type: "boolean" },
    },
  });
  if (!given) return 0;
  const { values } = given;
  const { token } = values;
  if (values.version) {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const port = numberOption("port", values.port, 0, 65_535);
  if (!isToken(token)) throw new UsageError("The token must be 1 to 4096 printable characters without spaces.");
  const styles = {
    parties: choiceOption("parties", values.parties, ["either", "dotted", "nested"]),
    booleans: choiceOption("booleans", values.booleans, ["either", "words", "digits"]),
  };
  const answers = choiceOption("answers", values.answers, ["everybody", "nobody", "ask"]);

  const tokenAdvice = `It is the one after --token, or the one that ${command} printed when it started.`;
  const access = { port, token, tokenAdvice };
  const state = new SandboxState();
  state.settings = { ...state.settings, answers };
  const sandbox = await Sandbox.start({ ...access, styles, state }).catch(({ code }: NodeJS.ErrnoException) => {
    process.stderr.write(`${command}: The port ${port} cannot be used (${code}); choose another with --port.\n`);
    return undefined;
  });
  if (!sandbox) return 1;
  process.stdout.write(`The simulated tenant runs; no phone rings.
  address  ${sandbox.url}
  token    ${token}
  calls    ${sandbox.url}/sandbox (a page for people)
           ${sandbox.url}/sandbox/calls and ${sandbox.url}/sandbox/log (JSON)
Ctrl+C ends it.
`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      state.clear();
      void sandbox.stop();
    });
  }
  return 0;
}
