export { action, post, shape } from "./action";
export { callId } from "./call-id";
