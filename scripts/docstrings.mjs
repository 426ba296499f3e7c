const HEADLESS = /^\*[\s*]*(?:What|Who|Whose|Whom|Which|Where|When|Why|How)(?:ever)?\b/;
const OF_FUNCTION = /^\*[\s*]*(?:(?:The|An?|Whether|(?!As\b|Its\b|This\b)[A-Z][a-z-]*s)\b|@)/;
const BEGIN = "Begin with a noun, as in “The number of …”, or with a verb, as in “Reads …”.";

/** The nodes from a declaration to the function or the value in it. */
function within(node) {
  const inner = node.declaration ?? node.declarations?.[0] ?? node.init ?? node.value;
  return inner?.type ? [node, ...within(inner)] : [node];
}

/** A rule that demands a docstring with a head: “The number of …”, “Reads …”; and “Whether” only of what may be true. */
const head = {
  create(context) {
    const { sourceCode } = context;
    const check = (node) => {
      const doc = sourceCode.getCommentsBefore(node).at(-1);
      if (doc?.type !== "Block" || !doc.value.startsWith("*")) return;
      const nodes = within(node);
      const own = nodes.map(({ returnType, typeAnnotation }) => returnType ?? typeAnnotation).find(Boolean);
      const isFunction = /Function|Method/.test(nodes.at(-1).type) && !/get|constructor/.test(node.kind);
      if (isFunction && !OF_FUNCTION.test(doc.value)) context.report({ loc: doc.loc, message: BEGIN });
      if (
        /^\*[\s*]*Whether\b/.test(doc.value) &&
        (/Class|Interface|Alias/.test(nodes.at(-1).type) ||
          (own && !/\b(?:boolean|true|is)\b/.test(sourceCode.getText(own))))
      )
        context.report({ loc: doc.loc, message: "Only what may be true begins with “Whether”." });
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
