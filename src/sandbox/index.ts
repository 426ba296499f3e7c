export { sandboxPage, sandboxPageHeaders } from "./page";
export { Sandbox, type SandboxOptions } from "./server";
export type { SandboxState } from "./state";
