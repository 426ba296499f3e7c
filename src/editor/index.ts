import { fillInSharedTexts } from "./shared-texts";

export { prepare, takeOnlyTenant } from "./inputs/dialog";
export { fixedValue, isAlwaysSet } from "./inputs/label";
export { prepareList, saveLists } from "./inputs/list-input";
export * as kept from "./kept";
export { gateLabel, prepareGate, saveGate } from "./nodes/gate";
export { warnOfListener } from "./nodes/listener";
export { offerSchedules } from "./nodes/schedule-picker";
export { showRequest } from "./nodes/show-request";
export { prepareTenant, validAddress, validCount, validHeader, validRange, validZone } from "./nodes/tenant";
export { prepareTransfer, saveTransfer } from "./nodes/transfer";
export { validToken } from "./validate/token";
export { valid } from "./validate/valid";

fillInSharedTexts();
