import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { callTo, guardOf, guardWith } from "./guard-of";
import { ALL, inScript, joined, NUMBERS, OTHER } from "./national-numbers";

/** Exit prefixes that carriers of a country publish. */
const EXITS = `KR 001 002 00700, SG 001 002 008 019, HK 001 009, BR 0015 0021 0031, TH 001 007 009, CO 005 007 009 00414,
  ID 001 007 008 01017, IL 00 012 013 014, TW 002 009 016 019, AU 0011 0014 0018, MN 001 002 003 008 009, KH 001 007, JP 010 001010 0033010 0061010, US 011, RU 810, VN 00`;

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
          guardOf({ country: home, block: [`${withIt}*`] })(written),
          guardOf({ country: home, allow: [without, `${withIt}*`] })(written),
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
      for (const number of [...ALL.map(({ plus }) => plus), "113", "09123456"]) {
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

  it("checks a number behind an exit prefix of each carrier as the number abroad", async () => {
    const wrong: string[] = [];
    for (const [country = "", ...prefixes] of EXITS.split(/,\s+/).map((each) => each.split(" ")))
      for (const prefix of prefixes)
        for (const abroad of ["+447400123456", "+4915123456789"]) {
          const written = `${prefix} ${abroad.slice(1)}`;
          const rules = await Promise.all([
            guardOf({ country, block: [abroad] })(written),
            guardOf({ country, allow: [abroad] })(written),
            guardOf({ country, allow: [OTHER] })(written),
            guardOf({ country, block: [written] })(abroad),
            guardOf({ country, block: [`${prefix}${abroad.slice(1, 6)}*`] })(abroad),
          ]);
          if (String(rules) !== "block,,allow,block,block") wrong.push(`${country} ${written}: ${rules}`);
        }
    deepStrictEqual(wrong, []);
  });

  it("checks a number in each of its valid readings, or else behind the longest exit prefix", async () => {
    // In Korea, 001 and 00 may stand before it: a number of Singapore, or one of Jamaica.
    const [country, written, singapore, jamaica] = ["KR", "001 65 8234 5678", "+65 8234 5678", "+1 658 234 5678"];
    for (const reading of [singapore, jamaica]) {
      strictEqual(await guardOf({ country, block: [reading] })(written), "block", reading);
      strictEqual(await guardOf({ country, allow: [reading] })(written), "allow", reading);
    }
    strictEqual(await guardOf({ country, allow: [singapore, jamaica] })(written), "");
    const shares = (number: string) => guardWith({ country, perNumber: 1 }).rateLimitKeys(callTo(number));
    for (const { hash } of [singapore, jamaica].flatMap((each) => shares(each).slice(0, 1)))
      ok(shares(written).some((share) => share.hash === hash));
    strictEqual(await guardOf({ country, block: ["+999*"] })("00700 999 1"), "block", "no number is valid");
    strictEqual(await guardOf({ country, block: ["+84*"] })("0084 912 345 678"), "block");
    for (const nothing of ["001", "00700", "0010912345678"])
      strictEqual(await guardOf({ country, allow: ["*"] })(nothing), "unreadable", nothing);
    // A beginning blocks what it may mean behind any exit prefix, and allows what it means behind 00.
    const rulesOf = async (entry: string, number: string) =>
      [await guardOf({ country, block: [entry] })(number), await guardOf({ country, allow: [entry] })(number)].join();
    for (const [entry, number, rules] of [
      ["0084*", "+84 912 345 678", "block,"],
      ["0084*", "+49 151 23456789", ",allow"],
      ["00184*", "+84 912 345 678", "block,allow"],
      ["00184*", "+1 845 555 0123", "block,"],
    ] as const)
      strictEqual(await rulesOf(entry, number), rules, `${entry} ${number}`);
  });

  it("reads an extension only behind a number that is whole without it", async () => {
    for (const [country, number, rule] of [
      ["VN", "091x2345678", "unreadable"],
      ["VN", "0912345x678", "unreadable"],
      ["VN", "+84 912 345 ext 678", "unreadable"],
      ["VN", "113 x12", "unreadable"],
      ["KR", "001 84 912 x345678", "unreadable"],
      ["", "091x2345678", "unreadable"],
      ["", "912345 ext. 678", "unreadable"],
      ["VN", "0912345678 x12", "block"],
      ["US", "555-0123 x12", "block"],
      ["", "9123456 ext. 78", "block"],
    ] as const) {
      strictEqual(await guardOf({ country, block: ["*"] })(number), rule, `${country} ${number}`);
      strictEqual(
        await guardOf({ country, block: ["113", number] })("114"),
        rule === "block" ? "" : "block[1]",
        number,
      );
    }
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
