import { isZone } from "../zone";
import { windowsZones } from "./windows-zones";

/**
 * The IANA zone that a `TZID` names: by its own name, by the name that Windows uses, or as the end of a path, such as
 * `/freeassociation.sourceforge.net/Europe/Berlin`.
 */
export function zoneNamed(tzid: string): string | undefined {
  const isKnown: boolean = isZone(tzid);
  if (isKnown) return tzid;
  if (!tzid.startsWith("/")) return windowsZones().get(tzid.replace(/ Standard Time$/, ""));
  // A name has at most three parts, such as America/Argentina/Ushuaia.
  const parts = tzid.split("/").slice(1);
  return [3, 2, 1].map((count) => parts.slice(-count).join("/")).find(isZone);
}
