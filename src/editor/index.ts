export { prepare, show, takeOnlyTenant } from "./dialog";
export { reset, typedInput } from "./input";
export { fixedValue } from "./label";
export { saveSpokenActions, spokenActions, validSpokenActions } from "./spoken-actions";
export { prepareTenant, validAddress, validRange, validZone } from "./tenant";
export { prepareTransfer, saveTransfer } from "./transfer";
export { valid } from "./valid";
