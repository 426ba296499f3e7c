import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNoToken } from "../support/canary";
import type { FlowNode } from "../support/process/node-red";
import { temporaryFolder } from "../support/process/user-folder";
import { root } from "../support/root";

const NAME = "@cloud-telephony/node-red-call-actions";

/** Where a message came out of the flow: at the node's output, at Catch, at Complete, or only in the log. */
export type Way = "out" | "caught" | "completed" | "logged";
export type Sink = (id: string, way: Way) => void;

interface Runtime {
  init(settings: object): void;
  start(): Promise<void>;
  readonly events: NodeJS.EventEmitter;
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } };
}

/** A whole Node-RED in this process, without its editor: so that thousands of deploys and messages cost little. */
export class Embedded {
  /** Hears of every end; set by whoever counts. */
  sink: Sink = () => {};
  readonly #red: Runtime = require("node-red");

  static async start(): Promise<Embedded> {
    const embedded = new Embedded();
    embedded.#red.init(embedded.#settings(linkedFolder()));
    await embedded.#red.start();
    // The first start of the flows goes on after `start` has resolved, and a deploy meanwhile would be mixed up with it.
    await sleep(500);
    return embedded;
  }

  get events(): NodeJS.EventEmitter {
    return this.#red.events;
  }

  /** A full deploy, over once the new flows run. */
  async deploy(flows: readonly FlowNode[]): Promise<void> {
    const started = once(this.#red.events, "flows:started");
    await this.#red.runtime.flows.setFlows({ flows: { flows }, deploymentType: "full", req: {} });
    await started;
  }

  /** Hands a message to a node, as a wire does. */
  send(node: string, message: object): void {
    const { getNode } = require("@node-red/runtime/lib/nodes/index.js");
    getNode(node).receive(message);
  }

  #settings(userDir: string): object {
    const heard = ({ msg }: { msg: unknown }) => {
      assertNoToken("the log", msg);
      // What no node can take is told to the log, and that is its end.
      const id = /message (\S+): the result did not reach every node/.exec(String(msg))?.[1];
      if (id) this.sink(id, "logged");
    };
    return {
      userDir,
      flowFile: "flows.json",
      credentialSecret: "of the soak",
      httpAdminRoot: false,
      httpNodeRoot: false,
      lang: "en-US",
      telemetry: { enabled: false, updateNotification: false },
      logging: { console: { level: "fatal" }, soak: { level: "warn", handler: () => heard } },
      functionGlobalContext: {
        soak: { ended: ({ _msgid }: { _msgid: string }, way: Way) => this.sink(_msgid, way) },
      },
    };
  }
}

/** A user folder in which the package is linked, for it to be the build that stands in this root. */
function linkedFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules", "@cloud-telephony"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", NAME), "junction");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "soak", dependencies: { [NAME]: "*" } }));
  return folder;
}
