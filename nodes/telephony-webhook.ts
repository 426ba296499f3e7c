import type { Routing } from "../src/runtime/register";

export const telephonyWebhook: Routing = {
  type: "telephony-webhook",
  kind: "webhook",
  icons: { path: "fa-link", answer: "fa-reply", sign: "fa-pencil-square-o" },
};
