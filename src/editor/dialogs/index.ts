/* What is loaded with the first dialog that opens, see load.ts. Nothing of it may be needed to validate or to label a node. */
export { exceptionList } from "./exceptions";
export { previewGate } from "./gate-preview";
export { requestRow } from "./request-row";
export { scheduleMenu } from "./schedule-menu";
export { spokenActions } from "./spoken-actions";
export { prepareControl } from "./tenant-control";
export { prepareTest } from "./tenant-test";
export { weekEditor } from "./week-editor";

/** The style sheet beside this file; the build puts it in. */
declare const STYLES: string;

// Behind the styles of the rows, which came with the nodes.
$("<style>").text(STYLES).appendTo("body");
