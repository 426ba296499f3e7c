import { extendPaletteSearch } from "./nodes/palette-search";

export { fixedValue, isAlwaysSet } from "./inputs/label";
export { saveLists } from "./inputs/list-input";
export { warnOfListener } from "./nodes/call";
export { prepare } from "./nodes/dialog";
export { saveTenant } from "./nodes/engine";
export { gateEntry } from "./nodes/gate";
export { paletteEntry } from "./nodes/palette-entry";
export { prepareTenant } from "./nodes/tenant";
export { prepareTransfer, saveTransfer } from "./nodes/transfer";
export { checked } from "./validate/checked";
export { validCredential } from "./validate/credentials";
export { words } from "./words";

extendPaletteSearch();
