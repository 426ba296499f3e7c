/** What is done over and over: the smallest request of the interface, and its largest usual one. */
export type Subject = "call-stop" | "call-out";

export const TOKEN = "token-of-the-benchmark";

export const TARGETS = { "call-stop": "/api/v1/call/stop-a-call", "call-out": "/api/v1/call/call-out" } as const;

/** A call-out's usual three: an announcement, the message, a farewell. */
const ACTIONS = [
  { action: "talk", text: "Hello, this is a reminder from the dental practice.", voice: "female", speed: 0 },
  { action: "talk", text: "Your appointment is tomorrow at nine thirty.", voice: "female", speed: 0, loop: "2" },
  { action: "talk", text: "Thank you, and good bye.", voice: "female", speed: 0 },
];

/** `msg.payload` as a flow would have it for the node with its default mapping. */
export function payload(subject: Subject) {
  return subject === "call-stop"
    ? { callId: "1700000000.12345" }
    : { from: { number: "0000000000" }, to: { number: "0000000001", alias: "Customer" }, actions: ACTIONS };
}

/** The same request as its body on the wire: what the node makes of that payload. */
export function wireBody(subject: Subject) {
  return subject === "call-stop"
    ? { callId: "1700000000.12345" }
    : {
        "from.type": "internal",
        "from.number": "0000000000",
        "to.type": "external",
        "to.number": "0000000001",
        "to.alias": "Customer",
        actions: ACTIONS,
      };
}
