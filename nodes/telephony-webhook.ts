import type { Routing } from "../src/runtime/register";

export const telephonyWebhook: Routing = {
  type: "telephony-webhook",
  kind: "webhook",
  icons: {
    ...{ path: "fa-link", answer: "fa-reply", scheme: "fa-pencil-square-o", sign: "fa-pencil-square-o" },
    ...{ header: "fa-lock", get: "fa-download", status: "fa-check-circle-o" },
  },
};
