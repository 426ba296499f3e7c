import { addTab } from "./tab";

let isAdded = false;

// The texts of the set are there once its first type is. Whoever disables and enables the set registers it again.
RED.events.on("registry:node-type-added", (type) => {
  if (isAdded || type !== "telephony-tenant") return;
  isAdded = true;
  addTab();
});
