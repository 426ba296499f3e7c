import { text } from "../../fields/field";

/** The call that an action is about. Every call node leaves its own behind in `msg.callId`, for the next one to find. */
export const callId = () => text({ fallbacks: [["callId"]] });
