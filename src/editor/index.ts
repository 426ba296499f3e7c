import { extendPaletteSearch } from "./nodes/palette-search";

export { fixedValue, isAlwaysSet } from "./inputs/label";
export { saveLists } from "./inputs/list-input";
export { warnOfListener } from "./nodes/call";
export { prepare } from "./nodes/dialog";
export { gateLabel, prepareGate, saveGate } from "./nodes/gate";
export { paletteEntry } from "./nodes/palette-entry";
export { prepareTenant } from "./nodes/tenant";
export { prepareTransfer, saveTransfer } from "./nodes/transfer";
export { validToken } from "./validate/token";
export { valid } from "./validate/valid";
export { words } from "./words";

extendPaletteSearch();
