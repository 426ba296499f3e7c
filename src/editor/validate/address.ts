import { shownParams } from "../../fields";
import { checkSetting } from "../../fields/setting";
import { TENANT_SETTINGS } from "../../tenant/settings";
import { parseAddress } from "../../tenant/transport/address";
import { translate } from "../texts";
import { refusal } from "./refusal";

/** What is wrong with a tenant's address. `${NAME}` as the whole address is replaced when Node-RED deploys. */
export function addressProblem(value: unknown): string | undefined {
  if (/^\s*\$\{[^}]+\}\s*$/.test(String(value ?? ""))) return undefined;
  const error = refusal(() => parseAddress(checkSetting(TENANT_SETTINGS.url, value, "url")));
  if (error === undefined) return undefined;
  const key = error.key === "config.unresolved" ? "valid.wholeVariable" : (`errors.${error.key}` as const);
  return translate(key, shownParams(error));
}
