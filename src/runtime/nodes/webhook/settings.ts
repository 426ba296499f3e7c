import type { Config } from "../../../fields";
import { checkSettings } from "../../../fields/setting";

export const WEBHOOK_SETTINGS = {
  path: { kind: "path", default: "" },
  /** The header with the signature; empty if the secret itself is sent. */
  sign: { kind: "header", default: "" },
  answer: { kind: "option", choices: ["outcome", "taken", "flow"], default: "outcome" },
} as const;

export type WebhookSettings = ReturnType<typeof webhookSettings>;

/** @throws ValueError */
export function webhookSettings(config: Config) {
  const { path, sign, answer } = checkSettings(WEBHOOK_SETTINGS, config);
  return { path: comparable(path), sign: sign.toLowerCase(), answer };
}

/** A path as paths are compared: neither capitals nor `/` at the ends make a difference. */
export function comparable(path: string): string {
  return path.toLowerCase().replace(/^\/+|\/+$/g, "");
}
