export { Sandbox, type SandboxOptions, type Served } from "./http/server";
export { sandboxPage, sandboxPageHeaders } from "./inspect/page";
export type { SandboxState } from "./inspect/state";
export type { Styles } from "./service/operation";
export { INITIAL_SCHEDULES } from "./service/schedules";
