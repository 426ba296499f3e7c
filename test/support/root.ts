import { join } from "node:path";

/** The package's folder, from the compiled tests. */
export const root = join(__dirname, "../../..");
