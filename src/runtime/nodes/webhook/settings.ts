import type { Config } from "../../../fields";
import { checkSender } from "../../../fields/rules";
import { checkSettings } from "../../../fields/setting";

export const WEBHOOK_SETTINGS = {
  path: { kind: "path", default: "" },
  answer: { kind: "option", choices: ["outcome", "taken", "flow"], default: "outcome" },
  /** The header with the signature; empty if the secret itself is sent, or the scheme names the header. */
  sign: { kind: "header", default: "" },
  /** The signature scheme; empty for the body alone. */
  scheme: {
    kind: "option",
    choices: ["", "standard", "stripe", "slack", "zendesk", "paddle", "pagerduty"],
    default: "",
  },
  /** The only header that may have the secret. */
  header: { kind: "header", default: "" },
  /** Whether GET is taken, too. */
  get: { kind: "boolean", default: false },
  /** `200`: the only status of an answer that a repetition cannot change. */
  status: { kind: "option", choices: ["", "200"], default: "" },
} as const;

export type WebhookSettings = ReturnType<typeof webhookSettings>;

/** @throws ValueError */
export function webhookSettings(config: Config) {
  const { path, header, sign, ...others } = checkSettings(WEBHOOK_SETTINGS, config);
  checkSender(config);
  return { ...others, path: comparable(path), header: header.toLowerCase(), sign: sign.toLowerCase() };
}

/** A path as paths are compared: neither capitals nor `/` at the ends make a difference. */
export function comparable(path: string): string {
  return path.toLowerCase().replace(/^\/+|\/+$/g, "");
}
