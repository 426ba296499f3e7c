import { isGiven } from "../../hours/untrusted";
import { ValueError } from "../../hours/value-error";
import { isLoopback } from "../../json/rules";
import { fillVariables } from "../variable";

const LONGEST = 2048;

/**
 * Reads the address of a calendar: https, `webcal:`, which is read as https, or http for a loopback host.
 * @param env gives the values of `${NAME}` in the address
 * @throws ValueError
 */
export function calendarAddress(value: unknown, field: string, env: (name: string) => unknown): URL {
  const read = (name: string) => {
    const given = env(name);
    if (isGiven(given)) return String(given);
    throw new ValueError("config.unresolved", field, { variable: name.slice(0, 60) });
  };
  const text = fillVariables(String(value), read)
    .trim()
    .replace(/^webcal:/i, "https:");
  const url = text.length <= LONGEST && URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSecure) throw new ValueError("input.hours.calendarAddress", field);
  url.hash = "";
  return url;
}
