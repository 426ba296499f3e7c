import type { Verdict } from "../../hours";

/** What a gate tells of its decision. Instants are ISO 8601 with the zone's offset, `opensIn` milliseconds. */
export interface BusinessHour {
  readonly open: boolean;
  readonly reason: Verdict["reason"] | "override" | "unknown";
  readonly name: string | null;
  readonly id: number | string | null;
  readonly timezone: string;
  readonly checkedAt: string;
  readonly closesAt: string | null;
  readonly opensAt: string | null;
  readonly opensIn: number | null;
  readonly stale: boolean;
}
