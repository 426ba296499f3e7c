export { sandboxPage } from "./page";
export { Sandbox, type SandboxOptions } from "./server";
