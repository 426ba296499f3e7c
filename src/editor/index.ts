export { prepare, show, takeOnlyTenant } from "./dialog";
export { reset, typedInput } from "./input";
export { fixedValue } from "./label";
export { warnOfListener } from "./listener";
export { saveSpokenActions, spokenActions } from "./spoken-actions";
export { prepareTenant, validAddress, validCount, validHeader, validRange, validZone } from "./tenant";
export { prepareTransfer, saveTransfer } from "./transfer";
export { valid } from "./valid";
