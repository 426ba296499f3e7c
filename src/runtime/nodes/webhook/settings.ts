import type { Config } from "../../../fields";
import { checkSetting, type SettingValue } from "../../../fields/setting";

export const WEBHOOK_SETTINGS = {
  path: { kind: "path", default: "" },
  /** The header with the signature; empty if the secret itself is sent. */
  sign: { kind: "header", default: "" },
  answer: { kind: "option", choices: ["outcome", "taken", "flow"], default: "outcome" },
} as const;

type Declared = typeof WEBHOOK_SETTINGS;
/** `path` as it is compared: small letters, without `/` at its ends. */
export type WebhookSettings = { readonly [Name in keyof Declared]: SettingValue<Declared[Name]> };

/** @throws ValueError */
export function webhookSettings(config: Config): WebhookSettings {
  const read = <Name extends keyof Declared>(name: Name) => checkSetting(WEBHOOK_SETTINGS[name], config[name], name);
  return { path: comparable(read("path")), sign: read("sign").toLowerCase(), answer: read("answer") };
}

/** A path as paths are compared: neither capitals nor `/` at the ends make a difference. */
export function comparable(path: string): string {
  return path.toLowerCase().replace(/^\/+|\/+$/g, "");
}
