/**
 * The part of Node-RED's editor that the dialogs use, 4.1 and later. The published types describe the editor of Node-RED 1.3, without
 * the edit stack, the sentences of validators or a menu of a popover.
 */
declare const RED: {
  _(key: string, params?: Readonly<Record<string, string | number>>): string;
  readonly nodes: {
    node(id: string): EditorNode | null | undefined;
    eachConfig(visit: (node: EditorNode) => void): void;
    /** Lists all nodes as a flow file has them. */
    createCompleteNodeSet(options: { readonly credentials: boolean }): readonly object[];
    filterNodes(filter: { readonly z: string }): readonly EditorNode[];
    /** The flows as they were last loaded or deployed. */
    originalFlow(): readonly { readonly id: string }[] | null | undefined;
    workspace(id: string): { readonly id: string; readonly label?: string } | undefined;
    /** The ids of all flows, in the order of their tabs. */
    getWorkspaceOrder(): readonly string[];
  };
  readonly events: {
    on(event: "registry:node-type-added", listener: (type: string) => void): void;
    on(event: "nodes:add", listener: (node: EditorNode) => void): void;
    on(event: "workspace:change", listener: (change: { readonly workspace?: string }) => void): void;
  };
  readonly actions: {
    add(name: string, handler: (id?: string, event?: { preventDefault(): void }) => void, options?: object): void;
    /** Does nothing if there is no such action. */
    invoke(name: string, id: string, event: { preventDefault(): void }): void;
  };
  readonly hooks: {
    /** A group has no definition of ours, and may have no element. */
    add(
      hook: string,
      draw: (event: { node: Partial<EditorNode>; el: null | { __buttonGroup__?: Element } }) => void,
    ): void;
    remove(hook: string): void;
  };
  readonly comms: {
    subscribe(topic: string, listener: (topic: string, data: unknown) => void): void;
  };
  readonly workspaces: {
    /** The id of the flow in front. */
    active(): string;
  };
  readonly menu: {
    /** @param entry its `onselect` is the name of an action */
    addItem(menu: string, entry: { readonly id: string; readonly label: string; readonly onselect: string }): void;
  };
  readonly sidebar: {
    addTab(options: {
      id: string;
      label: string;
      name: string;
      content: JQuery;
      iconClass: string;
      pinned: boolean;
      enableOnEdit: boolean;
      action?: string;
    }): void;
    show(id: string): void;
  };
  readonly view: {
    reveal(id: string): void;
    select(selection: { nodes: readonly EditorNode[] }): void;
    focus(): void;
  };
  notify(text: string, kind: "warning"): void;
  notify(
    text: JQuery,
    options: {
      readonly type?: "success" | "error";
      readonly fixed?: boolean;
      readonly modal?: boolean;
      /** Milliseconds. */
      readonly timeout?: number;
      readonly buttons?: readonly { readonly text: string; readonly class?: string; readonly click: () => void }[];
    },
  ): { close(): void };
  readonly editor: {
    getEditStack(): EditorNode[];
    editText(options: { value: string; focus?: boolean; complete(value: string): void }): void;
  };
  readonly popover: {
    menu(options: {
      options: readonly MenuEntry[];
      width?: number;
      maxHeight?: number;
      onclose?: (cancelled?: boolean) => void;
    }): {
      options(entries: readonly MenuEntry[]): void;
      show(options: { target: JQuery }): void;
    };
  };
  readonly user: { hasPermission(permission: string): boolean };
  readonly clipboard: { copyText(text: string, element: JQuery, message: string): void };
  readonly settings: {
    readonly httpNodeRoot?: string;
    get(name: "auth-tokens"): { readonly access_token?: string } | undefined;
  };
  readonly utils: {
    getNodeLabel(node: EditorNode): string;
    validateTypedProperty(value: string, type: string, options?: object): boolean | string;
    parseContextKey(value: string): { readonly store?: string; readonly key: string };
  };
};

interface MenuEntry {
  readonly label: string | JQuery;
  readonly onselect: () => void;
}

interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly changed?: boolean;
  readonly _def: {
    readonly category: string;
    readonly inputs?: number;
    readonly kind: import("../fields/rules").NodeKind;
    readonly placesCalls?: boolean;
    readonly outputNames?: readonly string[];
    readonly button?: { readonly title?: (this: Partial<EditorNode>) => string };
    readonly defaults: Readonly<Record<string, EditorProperty>>;
    readonly credentials?: Readonly<Record<string, object>>;
  };
  [property: string]: unknown;
}

/** A property as the build writes it into `defaults`, see `NodeProperty` in src/build. */
interface EditorProperty {
  readonly value: unknown;
  /** The meaning of an absent property, where a new node starts with another value. */
  readonly absent?: string;
  /** Type of the config node that the property names. */
  readonly type?: string;
  readonly setting?: import("../fields/setting").Setting;
  readonly field?: import("../fields/note").FieldNote;
  readonly check?: "property" | "tenant" | "config";
  readonly validate?: (this: EditorNode, value: unknown, options: object) => true | string;
}

/** A type of a typed input. `this` in its functions is the widget. */
interface TypedInputType {
  readonly value: string;
  readonly label?: string;
  readonly icon?: string;
  readonly hasValue?: boolean;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly valueLabel?: (this: TypedInputWidget, container: JQuery, value: string) => void;
  readonly expand?: ((this: TypedInputWidget) => void) & { readonly icon?: string };
  readonly export?: (value: string) => string;
  readonly validate?: (value: string) => boolean | string;
}

interface TypedInputWidget {
  readonly input: JQuery;
  value(value?: string): string;
}

interface TypedInputOptions {
  readonly default?: string;
  readonly types: readonly (string | TypedInputType)[];
  readonly typeField?: JQuery;
}

interface JQuery {
  typedInput(options: TypedInputOptions): this;
  typedInput(get: "type" | "value"): string;
  typedInput(set: "type" | "value", value: string): void;
  typedInput(set: "types", types: readonly (string | TypedInputType)[]): void;
  typedInput(call: "focus"): void;
  editableList(options: object): this;
  editableList(get: "items"): JQuery;
  editableList(call: "addItem", data: object): void;
}
