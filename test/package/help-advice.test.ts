import { doesNotMatch, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

describe("the help of the gate", () => {
  for (const [language, label] of [
    ["en-US", "Calling hours"],
    ["vi", "Giờ được gọi"],
    ["de", "Anrufzeiten"],
    ["ja", "発信可能時間"],
    ["zh-CN", "外呼时段"],
  ] as const)
    it(`names the tenant's calling hours for calls that are to wait: ${language}`, () => {
      const help = readFileSync(join(root, "locales", language, "help/business-hour-gate.md"), "utf8");
      const advice = help.split("\n").find((line) => line.includes("businessHour.opensIn")) ?? "";
      match(advice, new RegExp(`\\*\\*${label}\\*\\*`));
      doesNotMatch(help, /delay/i);
      const catalogue = readFileSync(join(root, "locales", language, "telephony.json"), "utf8");
      match(catalogue, new RegExp(`"callingHours": "${label}"`));
    });
});
