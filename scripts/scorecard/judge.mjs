import Module, { createRequire } from "node:module";
import { join } from "node:path";

/** What is judged; P02 the checker itself leaves out. */
const RULES = ["P01", "P03", "P04", "P05", "P06", "P07", "P08", "N01", "N02", "D01", "D02", "D03"];

/** Those that the catalogue decides. */
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

  const notAsked = asked.catalogue ? [] : OF_THE_CATALOGUE;
  const rules = RULES.filter((rule) => !notAsked.includes(rule)).map((rule) => {
    const { test, ...facts } = card[rule] ?? {};
    return { rule, holds: test === true, facts: JSON.stringify(facts) };
  });
  return { rules, notAsked, said };
}
