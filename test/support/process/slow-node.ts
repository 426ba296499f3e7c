import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowNode } from "./node-red";

const CODE = `module.exports = (RED) => {
  RED.nodes.registerType("slow-to-close", function (config) {
    RED.nodes.createNode(this, config);
    this.on("close", (done) => {});
  });
};
`;

const DIALOG = `<script type="text/javascript">
  RED.nodes.registerType("slow-to-close", { category: "function", defaults: { name: { value: "" } } });
</script>
`;

/** A node of another author, which takes as long to close as Node-RED lets it. */
export const SLOW_NODE: FlowNode = { id: "slow", type: "slow-to-close", z: "tab", x: 100, y: 100, wires: [] };

/** Installs its type in a user folder, before Node-RED is started there. */
export function installSlowNode(folder: string): void {
  const nodes = join(folder, "nodes");
  mkdirSync(nodes, { recursive: true });
  writeFileSync(join(nodes, "slow-to-close.js"), CODE);
  writeFileSync(join(nodes, "slow-to-close.html"), DIALOG);
}

/** Settings of a Node-RED with a context store, `slow`, that answers when there is a file `answer`. */
export const SLOW_STORE = `const { existsSync } = require("node:fs");
const nothing = async () => {};
const store = () => ({
  open: nothing, close: nothing, clean: nothing, delete: nothing,
  set: (_scope, _key, _value, done) => done(),
  keys: (_scope, done) => done(null, []),
  get: (_scope, _key, done) => {
    console.log("the store is asked");
    const poll = setInterval(() => {
      if (!existsSync(__dirname + "/answer")) return;
      clearInterval(poll);
      done(null, "7");
      console.log("the store has answered");
    }, 20);
  },
});
module.exports = {
  ...require("./settings.js"),
  contextStorage: { default: { module: "memory" }, slow: { module: store } },
};
`;
