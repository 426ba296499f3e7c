import { deepStrictEqual } from "node:assert/strict";
import { casesOf } from "../../../support/until";
import { callTo, newGuard } from "./guard-of";
import { ALL, inScript, NUMBERS, type Written } from "./national-numbers";

/** For a tenant in Vietnam; for those of other countries, fewer tell as much. */
const HOW_MANY = casesOf(5000);
const FEWER = casesOf(1000);
const HOMES = ["VN", "DE", "FR", "GB", "JP", "AU", "US", "IT", "SG"];
/** Dialled before a number of another country, where that is not 00. */
const EXITS: Readonly<Record<string, string>> = { JP: "010", AU: "0011", US: "011" };

/** Draws numbers that look random and are the same in every run: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

/** A number as people write it who are in its country, or elsewhere. */
function spelling(number: Written, home: string, pick: (below: number) => number): string {
  const { country, code, trunk, significant, plus } = number;
  const grouped = (text: string) => {
    const sign = [" ", "-", ".", "", "\u00a0"][pick(5)] ?? "";
    const size = 2 + pick(3);
    return text.replace(new RegExp(`(\\d{${size}})(?=\\d{2})`, "g"), `$1${sign}`);
  };
  const international = [
    plus,
    `+${code} ${grouped(significant)}`,
    `(+${code}) ${grouped(significant)}`,
    `tel:+${code}-${significant}`,
    // In Singapore, 00 may be the beginning of a carrier's prefix.
    ...(home === "SG" ? [] : [`00${code}${significant}`]),
    inScript(plus, 0xff10),
    ...(trunk === "0" ? [`+${code} (0)${grouped(significant)}`] : []),
  ];
  const national = [
    trunk + significant,
    grouped(trunk + significant),
    inScript(trunk + significant, 0x660),
    code + significant,
    (EXITS[country] ?? "00") + code + significant,
  ];
  const all = country === home ? [...international, ...national] : international;
  return all[pick(all.length)] ?? "";
}

/** Draws numbers that begin like those of the regulators' rules. */
function numbers(count: number, pick: (below: number) => number): Written[] {
  const found = new Map<string, Written>();
  while (found.size < count) {
    const like = ALL[pick(ALL.length)] as Written;
    let significant = like.significant.slice(0, 4);
    while (significant.length < like.significant.length) significant += String(pick(10));
    const plus = `+${like.code}${significant}`;
    found.set(plus, { ...like, significant, plus });
  }
  return [...found.values()];
}

describe("random numbers in their usual spellings", () => {
  for (const home of HOMES) {
    const pick = random(20_261_122 + home.charCodeAt(0) * 256 + home.charCodeAt(1));

    it(`meet a list of a tenant in ${home} without a leak or a false refusal`, async () => {
      const all = numbers(home === "VN" ? HOW_MANY : FEWER, pick);
      const isListed = (index: number) => index % 2 === 0;
      const block = all.filter((_, index) => isListed(index)).map((each) => spelling(each, home, pick));
      const guard = newGuard({ country: home, block });
      const wrong: string[] = [];
      for (const [index, each] of all.entries()) {
        const written = spelling(each, home, pick);
        const rule = (await guard.check(callTo(written)))?.details.rule;
        if (rule !== (isListed(index) ? "block" : undefined)) wrong.push(`${each.country} ${written}: ${rule}`);
      }
      deepStrictEqual(wrong, []);
    });

    it(`meet beginnings in a list of a tenant in ${home} likewise`, async () => {
      const all = numbers(FEWER, pick);
      const beginnings = NUMBERS.map(([country, code, trunk, first]) =>
        country === home ? `${trunk}${first.slice(0, 2)}*` : `+${code} ${first.slice(0, 2)}*`,
      );
      const listed = NUMBERS.map(([, code, , first]) => `+${code}${first.slice(0, 2)}`);
      const guard = newGuard({ country: home, allow: beginnings });
      const wrong: string[] = [];
      for (const each of all) {
        const written = spelling(each, home, pick);
        const isListed = listed.some((begins) => each.plus.startsWith(begins));
        const rule = (await guard.check(callTo(written)))?.details.rule;
        if (rule !== (isListed ? undefined : "allow")) wrong.push(`${each.country} ${written}: ${rule}`);
      }
      deepStrictEqual(wrong, []);
    });
  }
});
