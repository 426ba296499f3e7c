/*
 * Loaded before the tests (mocha --require): says which undici they run on, and with UNDICI=undici-8 puts that dev
 * dependency in the place of the installed one, since users may have either major.
 */
const Module = require("node:module");

const { UNDICI: alias = "undici" } = process.env;
if (alias !== "undici") {
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    return resolve.call(this, request.replace(/^undici(?=\/|$)/, alias), ...rest);
  };
}
console.log(`undici ${require("undici/package.json").version}, Node ${process.versions.node}`);
