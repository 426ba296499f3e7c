// Written by `npm start` once; your changes stay.
const { credentialSecret } = require("./secrets.json");

module.exports = {
  uiHost: "127.0.0.1",
  flowFile: "flows.json",
  flowFilePretty: true,
  credentialSecret,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: {} },
  logging: { console: { level: "info", metrics: false, audit: false } },
};
