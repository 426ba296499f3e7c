import type { Action } from "./declaration";

/** The registered actions by node type, for the dialogs that show a request. */
export const actions = new Map<string, Action>();
