import { parse } from "acorn";

/** A node of a syntax tree, as ESTree has it. */
type Tree = Readonly<Record<string, unknown>> & { readonly type: string };

/** The most messages on the ways through statements that end the function, and on those that go on behind them. */
interface Sent {
  readonly ended: number;
  readonly on: number;
}
const NEVER = Number.NEGATIVE_INFINITY;
const NOTHING: Sent = { ended: NEVER, on: 0 };
const SEVERAL = 2;

const LOOPS = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ConditionalExpression: ["consequent", "alternate"],
  LogicalExpression: ["left", "right"],
  AssignmentExpression: ["right"],
  AwaitExpression: ["argument"],
};
/** Methods that call a function for each entry of a list, and those whose result is a list. */
const EACH = /^(?:forEach|map|flatMap|filter|reduce|some|every|each|setInterval)$/;
const LISTS = /^(?:map|flatMap|filter|concat|slice|split|sort|reverse|keys|values|entries|matchAll|from)$/;

/**
 * Whether the code of a function node may send several messages for one. Code that cannot be parsed sends none.
 * The build puts the library into this file.
 */
export function sendsSeveral(code: string): boolean {
  const isOutside = { allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true };
  try {
    return new Code(parse(code, { ecmaVersion: "latest", ...isOutside }) as unknown as Tree).most >= SEVERAL;
  } catch {
    return false;
  }
}

class Code {
  readonly most: number;
  /** What each variable is set to. */
  readonly #values = new Map<unknown, Tree[]>();
  /** Lists to which something is added. */
  readonly #grown = new Set<unknown>();

  constructor(program: Tree) {
    this.#learn(program);
    this.most = mostOf(this.#sent(program, true));
  }

  #learn(tree: Tree): void {
    const { type, id, init, left, right, callee } = tree;
    const set = (name: unknown, value: readonly Tree[]) =>
      this.#values.set(name, [...(this.#values.get(name) ?? []), ...value]);
    if (type === "VariableDeclarator")
      for (const name of namesIn(id)) set(name, nameOf(id) === undefined ? [tree] : treesIn(init));
    if (type === "AssignmentExpression") set(nameOf(left), treesIn(right));
    if (/^(?:push|unshift)$/.test(called(callee))) this.#grown.add(nameOf(Object(callee).object));
    for (const child of childrenOf(tree)) this.#learn(child);
  }

  /** @param isOutside whether a `return` is that of the node, not of a function within */
  #sent(tree: Tree, isOutside: boolean): Sent {
    const part = (name: string) =>
      treesIn(tree[name])
        .map((each) => this.#sent(each, isOutside))
        .reduce(then, NOTHING);
    const { type, argument } = tree;
    if (/^(?:Program|BlockStatement|LabeledStatement|CatchClause)$/.test(type)) return part("body");
    if (type === "SwitchCase") return part("consequent");
    if (type === "IfStatement")
      return then(sends(this.#count(tree["test"])), either(part("consequent"), part("alternate")));
    if (type === "TryStatement") return then(either(part("block"), part("handler")), part("finalizer"));
    if (type === "SwitchStatement")
      return treesIn(tree["cases"])
        .map((each) => this.#sent(each, isOutside))
        .reduce(either, NOTHING);
    if (type === "ReturnStatement" || type === "ThrowStatement") {
      const isResult = isOutside && type === "ReturnStatement";
      return { ended: this.#count(argument) + (isResult ? this.#messages(argument) : 0), on: NEVER };
    }
    if (!LOOPS.test(type)) return sends(this.#count(tree));
    const { ended, on } = part("body");
    return then(sends(on > 0 ? SEVERAL : 0), { ended, on: 0 });
  }

  /** What an expression sends, functions in it included. */
  #count(value: unknown): number {
    const [tree] = treesIn(value);
    if (!tree) return 0;
    const [body] = FUNCTIONS.test(tree.type) ? treesIn(tree["body"]) : [];
    if (body?.type === "BlockStatement") return mostOf(this.#sent(body, false));
    const own = childrenOf(tree).reduce((sum, each) => sum + this.#count(each), 0);
    const { callee } = tree;
    if (called(callee) === "send" && nameOf(Object(callee).object) === "node")
      return own + this.#messages(treesIn(tree["arguments"])[0]);
    return EACH.test(called(callee)) && own > 0 ? SEVERAL : own;
  }

  /** How many messages a value is that is returned or sent: one, or a list with an entry for each output. */
  #messages(value: unknown, seen: readonly unknown[] = []): number {
    const [tree] = treesIn(value);
    if (!tree || isNothing(tree)) return 0;
    const { type, callee } = tree;
    const name = nameOf(tree);
    const parts = PARTS[type];
    if (parts) return Math.max(...parts.map((part) => this.#messages(tree[part], seen)));
    if (type === "ArrayExpression")
      return treesIn(tree["elements"]).reduce((sum, each) => sum + this.#atOutput(each, seen), 0);
    if (type === "CallExpression") return LISTS.test(called(callee)) ? SEVERAL : 1;
    if (type !== "Identifier" || name === "msg" || seen.includes(name)) return 1;
    const values = this.#grown.has(name) ? undefined : this.#values.get(name);
    return values ? Math.max(0, ...values.map((each) => this.#messages(each, [...seen, name]))) : SEVERAL;
  }

  /** Of one output. A list is sent one after the other; where conditions choose between outputs, one of two gets nothing. */
  #atOutput(tree: Tree, seen: readonly unknown[]): number {
    if (tree.type === "SpreadElement") return SEVERAL;
    if (tree.type === "ConditionalExpression" && childrenOf(tree).some(isNothing)) return 0.5;
    const isUnknown = tree.type === "Identifier" && !this.#values.has(nameOf(tree)) && !this.#grown.has(nameOf(tree));
    return isUnknown ? 1 : this.#messages(tree, seen);
  }
}

function treesIn(value: unknown): Tree[] {
  return [value].flat().filter((each): each is Tree => typeof Object(each).type === "string");
}

function childrenOf(tree: Tree): Tree[] {
  return Object.values(tree).flatMap(treesIn);
}

function nameOf(tree: unknown): unknown {
  return Object(tree).name;
}

/** The variables of a declaration. */
function namesIn(id: unknown): unknown[] {
  return treesIn(id).flatMap((tree) => nameOf(tree) ?? childrenOf(tree).flatMap(namesIn));
}

/** The name of a function or method that is called. */
function called(callee: unknown): string {
  return String(nameOf(Object(callee).property) ?? nameOf(callee) ?? "");
}

function isNothing({ type, value, name }: Tree): boolean {
  return (type === "Literal" && value === null) || (type === "Identifier" && name === "undefined");
}

function sends(on: number): Sent {
  return { ended: NEVER, on };
}

function then(first: Sent, second: Sent): Sent {
  return { ended: Math.max(first.ended, first.on + second.ended), on: first.on + second.on };
}

function either(one: Sent, other: Sent): Sent {
  return { ended: Math.max(one.ended, other.ended), on: Math.max(one.on, other.on) };
}

function mostOf({ ended, on }: Sent): number {
  return Math.max(ended, on);
}
