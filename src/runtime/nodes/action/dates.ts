import type { Job } from "../../../client";
import { isGiven, toInstant, toNotBefore, ValueError, valueError } from "../../../fields";
import { isoOf } from "../../../fields/kinds/hours";
import { hostZone, loadZone, UTC_CLOCK, type Zone } from "../../../hours";
import type { Tenant } from "../../tenants/chosen-tenant";

/** The values of a message, as it has them. */
interface Given {
  readonly notBefore?: unknown;
  readonly notAfter?: unknown;
}

type Dates = Pick<Job, "notBefore" | "notAfter">;

/**
 * Prepares the check of the instants between which a request may be sent. A text without an offset is a time in the tenant's
 * zone.
 * @param looked where a value came from, for errors
 * @returns a promise only until the zone is loaded, because messages would overtake one another; it rejects with ValueError
 */
export function dateReader(
  { settings }: Pick<Tenant, "settings">,
  looked: (field: string) => string | undefined,
): (given: Given) => Dates | Promise<Dates> {
  let zone: Zone | undefined;
  const loading = loadZone(settings?.timezone || hostZone()).then((loaded) => {
    zone = loaded;
  });
  // Reported where the zone is needed.
  loading.catch(() => {});

  function named<T>(field: string, check: (field: string) => T): T {
    try {
      return check(field);
    } catch (error) {
      throw valueError(error, field, looked(field) ?? field);
    }
  }

  function check(given: Given): Dates {
    const wallClock = zone ?? UTC_CLOCK;
    const notBefore = isGiven(given.notBefore)
      ? named("notBefore", (field) => toNotBefore(given.notBefore, field, wallClock))
      : undefined;
    const notAfter = named("notAfter", (field) => {
      const end = toInstant(given.notAfter, field, wallClock);
      if (end === undefined || notBefore === undefined || end > notBefore) return end;
      throw new ValueError("input.endsBeforeStart", field, { notAfter: isoOf(end), notBefore: isoOf(notBefore) });
    });
    return { ...(notBefore !== undefined && { notBefore }), ...(notAfter !== undefined && { notAfter }) };
  }

  return (given) => {
    const needsZone = typeof given.notBefore === "string" || typeof given.notAfter === "string";
    return needsZone && !zone ? loading.then(() => check(given)) : check(given);
  };
}
