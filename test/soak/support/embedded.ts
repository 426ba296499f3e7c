import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNoToken } from "../../support/canary";
import type { FlowNode } from "../../support/process/node-red";
import { temporaryFolder } from "../../support/process/user-folder";
import { root } from "../../support/root";

const NAME = "@cloud-telephony/node-red-call-actions";

/** The way in which a message was settled: at the node's output, at Catch, at Complete, or only in the log. */
export type Way = "out" | "caught" | "completed" | "logged";
export type Sink = (id: string, way: Way) => void;

interface Runtime {
  init(settings: object): void;
  start(): Promise<void>;
  readonly httpNode: RequestListener;
  readonly events: NodeJS.EventEmitter;
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } };
}

/** Node-RED in this process, without its editor, so that thousands of deploys and messages take little time. */
export class Embedded {
  /** Takes every settled message. */
  sink: Sink = () => {};
  readonly userDir: string;
  readonly #red: Runtime = require("node-red");

  private constructor(modules: readonly string[]) {
    this.userDir = linkedFolder(modules);
  }

  /** @param modules folders of other packages with nodes */
  static async start(modules: readonly string[] = []): Promise<Embedded> {
    const embedded = new Embedded(modules);
    embedded.#red.init(embedded.#settings(embedded.userDir));
    await embedded.#red.start();
    // The flows are still starting when `start` resolves, and a deploy would interfere with that.
    await sleep(500);
    return embedded;
  }

  get events(): NodeJS.EventEmitter {
    return this.#red.events;
  }

  /** Answers the requests that nodes take. */
  get listener(): RequestListener {
    return this.#red.httpNode;
  }

  /** Deploys all flows. Resolves when they run. */
  async deploy(flows: readonly FlowNode[]): Promise<void> {
    const started = once(this.#red.events, "flows:started");
    await this.#red.runtime.flows.setFlows({ flows: { flows }, deploymentType: "full", req: {} });
    await started;
  }

  /** Delivers a message to a node, as a wire does. */
  send(node: string, message: object): void {
    const { getNode } = require("@node-red/runtime/lib/nodes/index.js");
    getNode(node).receive(message);
  }

  #settings(userDir: string): object {
    const log = ({ msg }: { msg: unknown }) => {
      assertNoToken("the log", msg);
      // A result that reaches no node is only logged.
      const id = /message (\S+): the result could not be delivered/.exec(String(msg))?.[1];
      if (id) this.sink(id, "logged");
    };
    return {
      userDir,
      flowFile: "flows.json",
      credentialSecret: "of the soak",
      httpAdminRoot: false,
      lang: "en-US",
      telemetry: { enabled: false, updateNotification: false },
      logging: { console: { level: "fatal" }, soak: { level: "warn", handler: () => log } },
      functionGlobalContext: {
        soak: { ended: ({ _msgid }: { _msgid: string }, way: Way) => this.sink(_msgid, way) },
      },
    };
  }
}

/** A user folder in which the package is a link to this project, beside links to other ones. */
export function linkedFolder(modules: readonly string[] = []): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "node_modules", "@cloud-telephony"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules", NAME), "junction");
  for (const module of modules) symlinkSync(module, join(folder, "node_modules", basename(module)), "junction");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "soak", dependencies: { [NAME]: "*" } }));
  return folder;
}
