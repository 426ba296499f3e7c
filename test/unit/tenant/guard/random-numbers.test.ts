import { deepStrictEqual } from "node:assert/strict";
import { COUNTRIES, type Country } from "./countries";
import { callTo, newGuard } from "./guard-of";

/** For a tenant in Vietnam; for those of other countries, fewer tell as much. */
const HOW_MANY = 10_000;
const FEWER = 2000;

/** Numbers that look random and are the same in every run: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) % below;
  };
}

interface Numbered {
  readonly country: Country;
  readonly significant: string;
}

const digits = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** A number as people write it who are in its country, or elsewhere. */
function spelling({ country, significant }: Numbered, home: string, pick: (below: number) => number): string {
  const { callingCode, trunk, exit, iso } = country;
  const grouped = (text: string) => {
    const sign = [" ", "-", ".", "", "\u00a0"][pick(5)] ?? "";
    const size = 2 + pick(3);
    return text.replace(new RegExp(`(\\d{${size}})(?=\\d{2})`, "g"), `$1${sign}`);
  };
  const international = [
    `+${callingCode}${significant}`,
    `+${callingCode} ${grouped(significant)}`,
    `(+${callingCode}) ${grouped(significant)}`,
    `tel:+${callingCode}-${significant}`,
    digits(`+${callingCode}${significant}`, 0xff10),
    ...(trunk === "0" ? [`+${callingCode} (0)${grouped(significant)}`] : []),
  ];
  const national = [
    trunk + significant,
    grouped(trunk + significant),
    digits(trunk + significant, 0x660),
    callingCode + significant,
    `${exit.startsWith("000") ? "+" : exit}${callingCode}${significant}`,
  ];
  const all = iso === home ? [...international, ...national] : international;
  return all[pick(all.length)] ?? "";
}

function numbers(count: number, pick: (below: number) => number): Numbered[] {
  const found = new Map<string, Numbered>();
  while (found.size < count) {
    const country = COUNTRIES[pick(COUNTRIES.length)] as Country;
    const [begins = "", length = 0] = country.plan[pick(country.plan.length)] ?? [];
    let significant = begins;
    while (significant.length < length) significant += String(pick(10));
    found.set(country.callingCode + significant, { country, significant });
  }
  return [...found.values()];
}

describe("10,000 random numbers in their usual spellings", () => {
  for (const { iso: home } of COUNTRIES) {
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
        if (rule !== (isListed(index) ? "block" : undefined)) wrong.push(`${each.country.iso} ${written}: ${rule}`);
      }
      deepStrictEqual(wrong, []);
    });

    it(`meet beginnings in a list of a tenant in ${home} likewise`, async () => {
      const all = numbers(FEWER, pick);
      const beginnings = COUNTRIES.flatMap(({ iso, callingCode, trunk, plan }) =>
        plan.slice(0, 1).map(([begins]) => (iso === home ? `${trunk}${begins}*` : `+${callingCode} ${begins}*`)),
      );
      const guard = newGuard({ country: home, allow: beginnings });
      const wrong: string[] = [];
      for (const each of all) {
        const written = spelling(each, home, pick);
        const isListed = each.significant.startsWith(each.country.plan[0]?.[0] ?? "none");
        const rule = (await guard.check(callTo(written)))?.details.rule;
        if (rule !== (isListed ? undefined : "allow")) wrong.push(`${each.country.iso} ${written}: ${rule}`);
      }
      deepStrictEqual(wrong, []);
    });
  }
});
