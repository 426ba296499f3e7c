import { killRun } from "../../support/process/kill-run";
import { type Figure, part, share } from "../part";

part(async () => [await figureOf("", false), await figureOf(", with trouble in between", true)]);

async function figureOf(what: string, hasTrouble: boolean): Promise<Figure> {
  const kills = share(50);
  const { accepted, placed, ends, named } = await killRun(kills, hasTrouble);
  const twice = placed.length - new Set(placed).size;
  const missing = [...accepted, ...placed].filter((id) => !(id in ends) && !named.has(id)).length;
  const unknown = Object.values(ends).filter((as) => as !== "ok").length;
  return {
    figure: `calls in a file, ${kills} SIGKILLs of Node-RED${what}`,
    wanted: "0 placed twice, 0 missing",
    found: `${accepted.size} accepted, ${placed.length} placed, ${twice} twice, ${missing} missing, ${unknown} unknown, ${named.size} named in the log`,
    holds: twice === 0 && missing === 0 && accepted.size >= 10 * kills,
  };
}
