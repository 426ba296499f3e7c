import { fillInSharedTexts } from "./shared-texts";

export { fixedValue, isAlwaysSet } from "./inputs/label";
export { prepareList, saveLists } from "./inputs/list-input";
export { warnOfListener } from "./nodes/call";
export { prepare, takeOnlyTenant } from "./nodes/dialog";
export { gateLabel, prepareGate, saveGate } from "./nodes/gate";
export { prepareTenant } from "./nodes/tenant";
export { prepareTransfer, saveTransfer } from "./nodes/transfer";
export { showRequest } from "./panels/server/request-row";
export { offerSchedules } from "./panels/server/schedule-picker";
export { spokenActions } from "./panels/spoken/spoken-actions";
export { weekEditor } from "./panels/week/week-editor";
export { validToken } from "./validate/token";
export { valid } from "./validate/valid";

fillInSharedTexts();
