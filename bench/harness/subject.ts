import { operations } from "../../src/tenant";

/** The requests that are measured: the smallest of the interface, and the largest that is common. */
export const SUBJECTS = ["call-stop", "call-out"] as const;
export type Subject = (typeof SUBJECTS)[number];

export const TOKEN = "token-of-the-benchmark";
export const PATHS = { "call-stop": operations.stopCall.path, "call-out": operations.callOut.path } as const;

const TEXTS = [
  "Hello, this is a reminder from the dental practice.",
  "Your appointment is tomorrow at nine thirty.",
  "Thank you, and good bye.",
];
const ACTIONS = TEXTS.map((text) => ({ action: "talk", text, voice: "female", speed: 0 }));

/** `msg.payload` for the node with its default fields. */
export const payloadOf: Readonly<Record<Subject, () => object>> = {
  "call-stop": () => ({ callId: "1700000000.12345" }),
  "call-out": () => ({
    from: { number: "0000000000" },
    to: { number: "0000000001", alias: "Customer" },
    actions: ACTIONS,
  }),
};

/** The body that the node makes of that payload. */
export const bodyOf: Readonly<Record<Subject, () => object>> = {
  "call-stop": payloadOf["call-stop"],
  "call-out": () => ({
    "from.type": "internal",
    "from.number": "0000000000",
    "to.type": "external",
    "to.number": "0000000001",
    "to.alias": "Customer",
    actions: ACTIONS,
  }),
};
