/* The reporter of scripts/test.mjs: sends how far it is to the process that started mocha, and prints failures and a summary. */
const { Base } = require("mocha").reporters;

module.exports = class Progress extends Base {
  constructor(runner, options) {
    super(runner, options);
    const report = (failed) => process.send?.({ total: runner.total, done: this.stats.tests, failed });
    runner.once("start", () => report());
    runner.on("test end", () => report());
    runner.on("fail", (test) => report(test.fullTitle()));
    runner.once("end", () => this.epilogue());
  }
};
