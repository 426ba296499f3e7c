import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { callTo, guardOf, guardWith } from "./guard-of";
import { ALL, inScript, joined, NUMBERS, OTHER } from "./national-numbers";

describe("the rules of a guard", () => {
  it("measures a number with (0) with and without it where the country dials no 0, and without it elsewhere", async () => {
    const wrong: string[] = [];
    for (const { country, code, trunk, significant } of ALL) {
      const [written, without, withIt] = [
        `+${code} (0)${significant}`,
        `+${code}${significant}`,
        `+${code}0${significant}`,
      ];
      for (const home of [country, "VN", "US", ""]) {
        const rules = await Promise.all([
          guardOf({ country: home, block: [without] })(written),
          guardOf({ country: home, allow: [without] })(written),
          guardOf({ country: home, block: [withIt] })(written),
          guardOf({ country: home, allow: [without, withIt] })(written),
          guardOf({ country: home, block: [written] })(without),
          guardOf({ country: home, allow: [`+${code}*`] })(written),
        ]);
        const expected = `block,${trunk === "0" ? "" : "allow"},block,,block,`;
        if (String(rules) !== expected) wrong.push(`${home} ${written}: ${rules}`);
      }
    }
    deepStrictEqual(wrong, []);
  });

  it("holds the numbers of a beginning, with and without (0)", async () => {
    const wrong: string[] = [];
    for (const { country, plus, code, trunk, significant } of ALL)
      for (const length of [1, 2, 4]) {
        const begins = significant.slice(0, length);
        for (const entry of [
          `+${code} (0)${begins}*`,
          `00${code}(0) ${begins}*`,
          `+${code} ${begins} *`,
          `(${trunk}${begins})*`,
        ]) {
          if (entry.startsWith("(") && `${trunk}${begins}`.startsWith(code)) continue;
          const rules = await Promise.all([
            guardOf({ country, block: [entry] })(plus),
            guardOf({ country, allow: [entry] })(plus),
            guardOf({ country, block: [entry] })(OTHER),
          ]);
          if (String(rules) !== `block,,${OTHER.replaceAll(" ", "").startsWith(`+${code}${begins}`) ? "block" : ""}`)
            wrong.push(`${country} ${entry}: ${rules}`);
        }
      }
    deepStrictEqual(wrong, []);
  });

  it("takes a lone * for every number, with and without a country", async () => {
    for (const country of ["", ...NUMBERS.map(([each]) => each)])
      for (const number of [...ALL.map(({ plus }) => plus), "113", "0912345678"]) {
        strictEqual(await guardOf({ country, block: ["*"] })(number), "block", `${country} ${number}`);
        strictEqual(await guardOf({ country, allow: [" * "] })(number), "", `${country} ${number}`);
      }
  });

  it("reads every number as before while it has no rule", async () => {
    for (const number of ["sip:alice@example.com", "0912~345", ""])
      strictEqual(await guardOf({ country: "VN" })(number), "");
  });

  it("guards an internal number of seven digits or more like an external one", async () => {
    const rules = { country: "VN", block: ["0912345678"] };
    for (const number of ["0912345678", "+84 912-345-678", "\u200e0912345678", inScript("0912345678", 0x660)])
      strictEqual(await guardOf(rules)(number, "internal"), "block", number);
    for (const number of ["sip:0912345678", "0912~345~678", "p1234567"])
      strictEqual(await guardOf(rules)(number, "internal"), "unreadable", number);
    strictEqual(await guardOf({ allow: ["+84*"] })("1234567", "internal"), "allow");
    for (const number of ["101", "123456", "alice", "user-7", "*31#"])
      for (const type of ["internal", "queue"])
        strictEqual(await guardOf({ ...rules, allow: ["114"], perNumber: 1 })(number, type), "", number);
  });

  it("has a key in common for one number, whatever its country was", () => {
    const hashes = (country: string, number: string) =>
      guardWith({ country, perNumber: 1 })
        .rateLimitKeys(callTo(number))
        .map(({ hash }) => hash);
    const wrong: string[] = [];
    for (const { country, plus, trunk, significant } of ALL) {
      const spellings = [
        plus,
        plus.slice(1),
        trunk + significant,
        joined(plus, " "),
        `${joined(trunk + significant, "-")} x12`,
      ];
      const homes = [country, "", "VN", "US"];
      for (const one of spellings) {
        for (const [before, after] of homes.flatMap((a) => homes.map((b) => [a, b] as const)))
          if (!hashes(before, one).some((hash) => hashes(after, one).includes(hash)))
            wrong.push(`${one}: from ${before} to ${after}`);
        // A tenant without a country gets the number's own, or loses it.
        for (const other of spellings)
          for (const [before, after] of [
            ["", country],
            [country, ""],
            [country, country],
          ] as const)
            if (!hashes(before, one).some((hash) => hashes(after, other).includes(hash)))
              wrong.push(`${one} and ${other}: from ${before} to ${after}`);
      }
    }
    deepStrictEqual(wrong, []);
  });
});
