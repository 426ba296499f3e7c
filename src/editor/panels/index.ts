/* What is loaded with the first dialog that opens, see load.ts. Nothing of it may be needed to validate or to label a node. */

export { previewGate } from "./server/gate-preview";
export { requestRow } from "./server/request-row";
export { scheduleMenu } from "./server/schedule-menu";
export { prepareControl } from "./server/tenant-control";
export { prepareTest } from "./server/tenant-test";
export { spokenActions } from "./spoken/spoken-actions";
export { exceptionList } from "./week/exceptions";
export { weekEditor } from "./week/week-editor";

/** The style sheet beside this file; the build puts it in. */
declare const STYLES: string;

// Behind the styles of the rows, which came with the nodes.
$("<style>").text(STYLES).appendTo("body");
