export { runSandbox as run } from "../sandbox/cli";
