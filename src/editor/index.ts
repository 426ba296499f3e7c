import { fillInSharedTexts } from "./shared-texts";

export { prepare, takeOnlyTenant } from "./dialog";
export { gateLabel, prepareGate, saveGate } from "./gate";
export * as kept from "./kept";
export { fixedValue, isAlwaysSet } from "./label";
export { warnOfListener } from "./listener";
export { prepareList, saveLists } from "./own-list";
export { offerSchedules } from "./schedule-picker";
export { showRequest } from "./show-request";
export { prepareTenant, validAddress, validCount, validHeader, validRange, validZone } from "./tenant";
export { validToken } from "./token";
export { prepareTransfer, saveTransfer } from "./transfer";
export { valid } from "./valid";

fillInSharedTexts();
