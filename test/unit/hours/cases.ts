import assert from "node:assert/strict";
import { calendar, loadZone, readExceptions, readSchedule, type Verdict } from "../../../src/hours";

/** Makes day entries of `"mon 08:00-17:00"` rows. */
export function week(...rows: string[]) {
  return rows.map((row) => {
    const [day, times = ""] = row.split(" ");
    const [open, close] = times.split("-");
    return { day, open, close };
  });
}

export function hours(...rows: string[]) {
  return rows.map((row) => {
    const [open, close] = row.split("-");
    return { open, close };
  });
}

export const EVERY_DAY = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const OFFICE = week(...EVERY_DAY.slice(0, 5).map((day) => `${day} 08:00-17:00`));
export const ALWAYS = week(...EVERY_DAY.map((day) => `${day} 00:00-23:59`));

/** The verdict at a wall time of Ho Chi Minh City, always seven hours ahead of UTC. 2026-11-23 is a Monday. */
export async function verdictAt(
  days: unknown,
  exceptions: unknown,
  at: string,
  enabled: unknown = true,
): Promise<Verdict> {
  const zone = await loadZone("Asia/Ho_Chi_Minh");
  return calendar(readSchedule({ days, enabled }), readExceptions(exceptions), zone).at(Date.parse(`${at}+07:00`));
}

/** Writes `open hours, closes …, opens …`, the instants without their common offset. */
function described({ open, reason, closesAt, opensAt }: Verdict): string {
  const [closes, opens] = [closesAt, opensAt].map((text) => {
    if (text === null) return "never";
    assert.ok(text.endsWith(":00+07:00"), text);
    return text.slice(0, 16);
  });
  return open
    ? `open ${reason}, closes ${closes}, opens ${opens}`
    : `closed ${reason}, opens ${opens}, closes ${closes}`;
}

/** A test for each instant of a table. */
export function cases(days: unknown, exceptions: unknown, table: Record<string, string>) {
  for (const [at, expected] of Object.entries(table)) {
    it(`${at}: ${expected}`, async () => assert.equal(described(await verdictAt(days, exceptions, at)), expected));
  }
}
