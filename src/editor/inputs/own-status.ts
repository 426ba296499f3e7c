/** The status that the editor shows below a node, written to the flow file as the node's setting of the same name. */
export class ShownStatus {
  readonly #setting: unknown;

  constructor(shown: object, setting: unknown) {
    // Hidden, so that what copies its properties finds nothing but the setting.
    for (const [name, value] of Object.entries(shown)) Object.defineProperty(this, name, { value });
    this.#setting = setting;
  }

  toJSON(): unknown {
    return this.#setting;
  }

  toString(): string {
    return String(this.#setting ?? "");
  }
}

/** Keeps two values of `status`: Node-RED's editor stores there what it shows below a node, and a webhook has a setting of that name. */
export function keepOwnStatus(node: EditorNode): void {
  let shown: object | undefined;
  let setting: unknown;
  let current: unknown;
  const set = (value: unknown) => {
    // An undone change brings an earlier one back.
    if (value instanceof ShownStatus) setting = value.toJSON();
    else if (typeof value === "object" && value !== null) shown = value;
    else setting = value;
    current = shown ? new ShownStatus(shown, setting) : setting;
  };
  set(node["status"]);
  Object.defineProperty(node, "status", { configurable: true, enumerable: true, get: () => current, set });
}
