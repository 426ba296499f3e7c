import { ValueError } from "../../hours/value-error";
import { isLoopback } from "../../json/rules";

const LONGEST = 2048;

/**
 * Reads the address of a calendar: https, `webcal:`, which is read as https, or http for a loopback host.
 * @param env gives the values of `${NAME}` in the address
 * @throws ValueError
 */
export function calendarAddress(value: unknown, field: string, env: (name: string) => unknown): URL {
  const text = String(value)
    .trim()
    .replace(/\$\{([^{}]{1,100})\}/g, (_, name: string) => {
      const given = env(name);
      if (given === undefined || given === null || given === "")
        throw new ValueError("config.unresolved", field, { variable: name.slice(0, 60) });
      return String(given);
    })
    .trim()
    .replace(/^webcal:/i, "https:");
  const url = text.length <= LONGEST && URL.canParse(text) ? new URL(text) : undefined;
  const isSecure = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!url || !isSecure) throw new ValueError("input.hours.calendarAddress", field);
  url.hash = "";
  return url;
}
