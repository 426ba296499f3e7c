import Module, { createRequire } from "node:module";
import { join } from "node:path";

/** Rules that the catalogue decides. */
const OF_THE_CATALOGUE = ["P08", "N01"];

/** The parts of the checker, in the order in which it runs them itself. */
const PARTS = ["checkpackage", "checknodes", "checkdeps"];

/**
 * Runs the checker on a package.
 * @returns each rule, whether it holds, and what the checker notes of it; the rules that nobody could be asked about; and
 * what it said on the way
 */
export async function judge(packed, checker, { modules, asked }) {
  const load = Module._load;
  Module._load = (request, ...rest) => modules[request] ?? load(request, ...rest);
  const require = createRequire(join(checker, "x.js"));
  const said = [];
  const cli = {
    log: (line) => said.push(line),
    warn: (line) => said.push(line),
    error: (error) => {
      throw error;
    },
  };
  const card = {};
  for (const part of PARTS) await require(`./src/libs/${part}.js`)(packed, cli, card, false);

  const results = Object.entries(card).filter(([rule]) => rule !== "package");
  if (results.length === 0) throw new Error(`The checker judged nothing:\n${said.join("\n")}`);
  const notAsked = asked.catalogue ? [] : OF_THE_CATALOGUE;
  const rules = results
    .filter(([rule]) => !notAsked.includes(rule))
    .map(([rule, { test, ...facts }]) => ({ rule, holds: test === true, facts: JSON.stringify(facts) }));
  return { rules, notAsked, said };
}
