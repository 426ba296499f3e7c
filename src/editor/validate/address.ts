import { parseAddress } from "../../tenant/address";
import { TenantError } from "../../tenant/errors";
import { shared } from "../words";

/** What is wrong with an address, by the rules that the runtime keeps; `undefined` when it may be asked for calls. */
export function addressProblem(text: string): string | undefined {
  const address = text.trim();
  if (/^\$\{[^}]+\}$/.test(address)) return undefined;
  const [, variable] = /\$\{([^}]*)\}/.exec(address) ?? [];
  if (variable !== undefined) return shared("valid.wholeVariable", { variable });
  try {
    parseAddress(address);
    return undefined;
  } catch (error) {
    if (!(error instanceof TenantError)) throw error;
    return shared(`errors.${error.key}`, { field: "url" });
  }
}
