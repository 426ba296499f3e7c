/*
 * Loaded before the tests (mocha --require): prints the version of undici, and replaces it with the dev dependency that
 * UNDICI names, e.g. undici-8, since the package supports two majors.
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
