export { Sandbox, type SandboxOptions } from "./http/server";
export { sandboxPage, sandboxPageHeaders } from "./inspect/page";
export type { SandboxClock } from "./phone/clock";
export type { Styles } from "./service/styles";
export type { SandboxState } from "./state";
