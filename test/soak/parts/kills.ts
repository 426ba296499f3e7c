import { killRun } from "../../support/process/kill-run";
import { part, share } from "../part";

part(async () => {
  const kills = share(50);
  const { accepted, placed, ends, named } = await killRun(kills);
  const twice = placed.length - new Set(placed).size;
  const missing = [...accepted, ...placed].filter((id) => !(id in ends) && !named.has(id)).length;
  const unknown = Object.values(ends).filter((as) => as !== "ok").length;
  return [
    {
      figure: `calls in a file, ${kills} SIGKILLs of Node-RED`,
      wanted: "0 placed twice, 0 missing",
      found: `${accepted.size} accepted, ${placed.length} placed, ${twice} twice, ${missing} missing, ${unknown} unknown, ${named.size} named in the log`,
      holds: twice === 0 && missing === 0 && accepted.size >= 10 * kills,
    },
  ];
});
