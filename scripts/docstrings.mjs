const HEADLESS = /^\*[\s*]*(?:What|Who|Whose|Whom|Which|Where|When|Why|How)(?:ever)?\b/;
const OF_FUNCTION = /^\*[\s*]*(?:(?:The|An?|Whether|(?!As\b|Its\b|This\b)[A-Z][a-z-]*s)\b|@)/;
const BEGIN = "Begin with a noun, as in “The number of …”, or with a verb, as in “Reads …”.";

/** The nodes from a declaration to the function or the value in it. */
function within(node) {
  const inner = node.declaration ?? node.declarations?.[0] ?? node.init ?? node.value;
  return inner?.type ? [node, ...within(inner)] : [node];
}

/** A rule that demands a docstring with a head: “The number of …”, “Reads …”; and “Whether” of what may be true, and only of that. */
const head = {
  create(context) {
    const { sourceCode } = context;
    const check = (node) => {
      const doc = sourceCode.getCommentsBefore(node).at(-1);
      if (doc?.type !== "Block" || !doc.value.startsWith("*")) return;
      const nodes = within(node);
      const own = nodes.map((each) => each.returnType ?? each.typeAnnotation ?? each.id?.typeAnnotation).find(Boolean);
      const isFunction = /Function|Method/.test(nodes.at(-1).type) && !/get|constructor/.test(node.kind);
      const type = own && sourceCode.getText(own);
      const isBoolean = type ? /^: (?:boolean|true)$/.test(type) : typeof nodes.at(-1).value === "boolean";
      const say = (message) => context.report({ loc: doc.loc, message });
      if (isFunction && !OF_FUNCTION.test(doc.value)) say(BEGIN);
      if (/^\*[\s*]*Whether\b/.test(doc.value)) {
        const isNever =
          /Class|Interface|Alias/.test(nodes.at(-1).type) || (type && !/\b(?:boolean|true|is)\b/.test(type));
        if (isNever) say("Only what may be true begins with “Whether”.");
      } else if (isBoolean && !isFunction) say("What may be true begins with “Whether”.");
    };
    return {
      Program() {
        for (const { type, value, loc } of sourceCode.getAllComments())
          if (type === "Block" && HEADLESS.test(value)) context.report({ loc, message: BEGIN });
      },
      "ExportNamedDeclaration, ExportDefaultDeclaration, FunctionDeclaration, VariableDeclaration, Property": check,
      "TSInterfaceDeclaration, TSTypeAliasDeclaration, TSMethodSignature, TSPropertySignature": check,
      "ClassDeclaration, MethodDefinition, TSAbstractMethodDefinition, PropertyDefinition": check,
    };
  },
};

export default { meta: { name: "docstrings" }, rules: { head } };
