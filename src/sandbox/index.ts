export { sandboxPage, sandboxPageHeaders } from "./http/page";
export { Sandbox, type SandboxOptions } from "./http/server";
export type { SandboxState } from "./service/state";
