import { checkSetting, SettingError } from "../../fields/setting";
import { TenantError } from "../../tenant/errors";
import { TENANT_SETTINGS } from "../../tenant/settings";
import { parseAddress } from "../../tenant/transport/address";
import { shared } from "../words";

/** What is wrong with a tenant's address. `${NAME}` as the whole address is replaced when Node-RED deploys. */
export function addressProblem(value: unknown): string | undefined {
  if (/^\s*\$\{[^}]+\}\s*$/.test(String(value ?? ""))) return undefined;
  try {
    parseAddress(checkSetting(TENANT_SETTINGS.url, value, "url"));
    return undefined;
  } catch (error) {
    if (error instanceof TenantError) return shared(`errors.${error.key}`, { field: "url" });
    if (!(error instanceof SettingError)) throw error;
    return error.key === "unresolved"
      ? shared("valid.wholeVariable", error.params)
      : shared(`errors.config.${error.key}`, { field: "url" });
  }
}
