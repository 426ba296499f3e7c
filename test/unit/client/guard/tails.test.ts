import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { guardOf, guardWith, newGuard } from "./guard-of";

/** By country, a number that is never called, and what rings it where networks ignore surplus digits. */
const TAILED = `VN 0901234507: 0901234507/08; 0901234507 - 08; 0901234507 08; 0901 234 507 / -8; 0901234507/08/09; 090123450708; +84 901 234 507-08
VN 02838123456: (028) 3812 3456 - 57; (028) 3812 3456/57 x12; +84 (0)28 3812 3456/57
US +12125550123: 212-555-0123/24; 1 212 555 0123 24; 011 1 212-555-0123/24; +1 212 555 0123 - 24
JP 0312345678: 03-1234-5678/79; 03-1234-5678 / 9012
DE 030123456: 030 123456/10
DE 0891234567: 089/1234567/68; 089 / 1234567 / 68
DE 03012345610: 030 123456-10/-11; 030 123456-10/-11/-12
SE 0701234567: 070-123 45 67 89; 070-123 45 67/68
LU 26123456: 26 12 34 56/57
AT 0158801: 01 58801/0
IT 0212345678: 02 1234 5678/9
GB 02079460123: 020 7946 0123/4; 020 7946 0123 - 45
FR 0142345678: 01 42 34 56 78 79; 01 42 34 56 78/79
FI 091234567: 09 1234 567/8`;
/** Ordinary spellings, which are one number each. */
const WHOLE = `VN: 1900 54 54 13; 0901 234 507; 028 3812 3456; 01234567890; 113; 0901 234 507 ext 12; +49 89 1234 - 0
SE: 08 123 456 78; 08-12 34 56; 08/123 456 78
LU: 26 12 34 56; 26-12-34-56; 26/12/34/56; +352 26/12 34 56
DE: 030 1234 5678; 089 1234 - 0; 089/1234-0; 089/12 34 56 78; 030 123456-10; 0151 / 23456789; +49 (0)89/1234-0
AT: 01 58801 0; 01/58801-0; 0512/507-0; 0316 873-0
IT: 02 1234 5678; 0471/123456; 06 1234567 8
FI: 09 1234 567; 09/1234 567
US: 212-555-0123; (212) 555-0123; 212 555 0123; 212/555-0123; 1/212/555-0123
GB: 020 7946 0123; 0845 46 47; 0800 1111
FR: 01 42 34 56 78; 01/42/34/56/78
JP: 03-1234-5678; 0120-123-456`;

const parsed = (text: string) =>
  text.split("\n").flatMap((line) => {
    const [, about = "", list = ""] = /^(.*?): (.*)$/.exec(line) ?? [];
    const [country = "", number = ""] = about.split(" ");
    return list.split("; ").map((written) => ({ country, number, written }));
  });

describe("digits behind a whole number", () => {
  it("make it no number, so that the one in front is called by no spelling", async () => {
    const wrong: string[] = [];
    for (const { country, number, written } of parsed(TAILED)) {
      strictEqual(await guardOf({ country, block: [number] })(number), "block");
      const rules = [{ block: [number] }, { allow: ["*"] }, { perNumber: 1 }, { block: [written] }];
      const found = await Promise.all(rules.map((each) => guardOf({ country, ...each })(written)));
      if (String(found) !== "unreadable,unreadable,unreadable,block[0]") wrong.push(`${country} ${written}: ${found}`);
    }
    deepStrictEqual(wrong, []);
  });

  it("leave ordinary spellings what they are", async () => {
    const wrong: string[] = [];
    for (const { country, written } of parsed(WHOLE)) {
      if ((await guardOf({ country, allow: ["*"] })(written)) !== "") wrong.push(`${country} ${written}`);
      if (newGuard({ country }).mayBeTwo(written, false)) wrong.push(`${country} ${written}: a warning`);
    }
    deepStrictEqual(wrong, []);
  });

  it("are worth a warning where nothing refuses them", () => {
    const warns = (number: string, rules = {}, isAlarm = false) => guardWith(rules).mayBeTwo(number, isAlarm);
    for (const { country, written } of parsed(TAILED))
      if (/\D/.test(written)) strictEqual(warns(written, { country }), true, `${country} ${written}`);
    for (const number of ["0901234507/08", "0901234507 - 08", "0901234507/-08", "1234567 / 8", "+84 901234507/08 x1"])
      for (const rules of [{}, { block: ["113"], perNumber: 1 }]) strictEqual(warns(number, rules), true, number);
    for (const number of ["0901 234 567", "123456/78", "212-555-0123", "028/3812", "089/1234567", "0901234507/12345"])
      strictEqual(warns(number), false, number);
    for (const rules of [{ block: ["113"] }, { allow: ["*"] }, { perNumber: 1 }])
      strictEqual(warns("0901234507/08", { country: "VN", ...rules }), false);
    // What rings for an incident has no limit.
    strictEqual(warns("0901234507/08", { country: "VN", perNumber: 1 }, true), true);
  });

  it("of the national form are compared with a beginning that is blocked", async () => {
    for (const block of ["011*", "011 15*", "011 15-2345*"])
      for (const number of ["011 15-2345-6789", "+54 9 11 2345 6789", "0054 9 11 2345-6789"])
        strictEqual(await guardOf({ country: "AR", block: [block] })(number), "block", `${block} ${number}`);
    strictEqual(await guardOf({ country: "AR", allow: ["011 15*"] })("+54 9 11 2345 6789"), "allow");
    for (const [country, entry, number] of [
      ["AR", "0351*", "011 15-2345-6789"],
      ["VN", "+1*", "1900 1234"],
      ["VN", "20*", "+1 201 555 0123"],
    ] as const)
      strictEqual(await guardOf({ country, block: [entry] })(number), "", `${entry} ${number}`);
  });
});
