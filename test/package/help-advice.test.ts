import { doesNotMatch, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/root";

describe("the help of the gate", () => {
  for (const language of ["en-US", "vi", "de", "ja", "zh-CN"])
    it(`warns of a Delay node that holds calls until the hours begin: ${language}`, () => {
      const help = readFileSync(join(root, "locales", language, "help/business-hour-gate.md"), "utf8");
      const advice = help.split("\n").find((line) => line.includes("businessHour.opensIn")) ?? "";
      match(advice, /delay/i);
      match(advice, /deploy|デプロイ|部署/i);
      doesNotMatch(advice, /format|định dạng|形式|格式/i);
    });
});
