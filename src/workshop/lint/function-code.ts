import { parse } from "acorn";

/** A node of a syntax tree, as ESTree has it. */
type Tree = Readonly<Record<string, unknown>> & { readonly type: string };

const SEVERAL = 2;
const LOOPS = /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTIONS = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const LISTS_OF_STATEMENTS = /^(?:Program|BlockStatement|SwitchCase)$/;
/** The parts of an expression that may be its value. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  ConditionalExpression: ["consequent", "alternate"],
  LogicalExpression: ["left", "right"],
  AssignmentExpression: ["right"],
  AwaitExpression: ["argument"],
};
/** The methods that call a function more than once, and those whose result is a list. */
const EACH = /^(?:forEach|map|flatMap|filter|reduce|some|every|each|setInterval)$/;
const LISTS = /^(?:map|flatMap|filter|concat|slice|split|sort|reverse|keys|values|entries|matchAll|from)$/;

/**
 * Whether the code of a function node may send several messages for one. Code that cannot be parsed sends none.
 * The build puts the library into this file.
 */
export function sendsSeveral(code: string): boolean {
  const isOutside = { allowReturnOutsideFunction: true, allowAwaitOutsideFunction: true };
  try {
    const program = parse(code, { ecmaVersion: "latest", ...isOutside }) as unknown as Tree;
    return new Code(program).most(program, true) >= SEVERAL;
  } catch {
    return false;
  }
}

class Code {
  /** The values to which each variable is set. */
  readonly #values = new Map<unknown, Tree[]>();
  /** Lists to which something is added. */
  readonly #grown = new Set<unknown>();

  constructor(program: Tree) {
    this.#learn(program);
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

  /**
   * The most messages that one part sends, or statements one after the other.
   * @param isOutside whether a `return` is that of the node, not of a function within
   */
  most(tree: Tree, isOutside: boolean, isRepeated = false): number {
    const { type, callee } = tree;
    const isWithin = isOutside && !FUNCTIONS.test(type);
    const repeats = isRepeated || LOOPS.test(type) || EACH.test(called(callee));
    const parts = childrenOf(tree).map((child) => this.most(child, isWithin, repeats));
    const own = LISTS_OF_STATEMENTS.test(type)
      ? childrenOf(tree).reduce((sum, each) => sum + this.#sent(each, isOutside), 0)
      : this.#sent(tree, isOutside) * (isRepeated && isSend(tree) ? SEVERAL : 1);
    return Math.max(own, ...parts);
  }

  /** Counts what a statement or call sends by itself. */
  #sent(tree: Tree, isOutside: boolean): number {
    if (tree.type === "ExpressionStatement")
      return treesIn(tree["expression"]).reduce((sum, each) => sum + this.#sent(each, false), 0);
    if (tree.type === "ReturnStatement") return isOutside ? this.#messages(tree["argument"]) : 0;
    return isSend(tree) ? this.#messages(treesIn(tree["arguments"])[0]) : 0;
  }

  /** Counts the messages of a value that is returned or sent: one, or a list with an entry for each output. */
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

  /** Counts those of one output. A list is sent one after the other; where conditions choose between outputs, one of two gets nothing. */
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

function called(callee: unknown): string {
  return String(nameOf(Object(callee).property) ?? nameOf(callee) ?? "");
}

function isSend({ type, callee }: Tree): boolean {
  return type === "CallExpression" && called(callee) === "send" && nameOf(Object(callee).object) === "node";
}

function isNothing({ type, value, name }: Tree): boolean {
  return (type === "Literal" && value === null) || (type === "Identifier" && name === "undefined");
}
