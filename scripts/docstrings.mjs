const HEADLESS = /^\*\s*(?:What|Who|Whose|Whom|Which|Where|When|Why|How)(?:ever)?\b/;

/** The text of the type of what is declared, or of what it returns; "" where none is written. */
function typeOf({ declaration, declarations, init, value, returnType, typeAnnotation }, source) {
  const inner = declaration ?? declarations?.[0] ?? init ?? value;
  const own = returnType ?? typeAnnotation;
  return own ? source.getText(own) : inner ? typeOf(inner, source) : "";
}

/** A rule that demands a docstring with a head: “The number of …”, “Reads …”; and “Whether” only of what may be true. */
const head = {
  create(context) {
    const { sourceCode } = context;
    const check = (node) => {
      const doc = sourceCode.getCommentsBefore(node).at(-1);
      if (doc?.type !== "Block" || !/^\*\s*Whether\b/.test(doc.value)) return;
      const type = typeOf(node, sourceCode);
      if (
        /^(?:export )?(?:abstract )?(?:interface|class|type)\b/.test(sourceCode.getText(node)) ||
        (type && !/\b(?:boolean|true|is)\b/.test(type))
      )
        context.report({ loc: doc.loc, message: "Only what may be true begins with “Whether”." });
    };
    return {
      Program() {
        for (const { type, value, loc } of sourceCode.getAllComments())
          if (type === "Block" && HEADLESS.test(value))
            context.report({
              loc,
              message: "Begin with a noun, as in “The number of …”, or with a verb, as in “Reads …”.",
            });
      },
      "ExportNamedDeclaration, FunctionDeclaration, VariableDeclaration, ClassDeclaration, TSInterfaceDeclaration":
        check,
      "TSTypeAliasDeclaration, TSMethodSignature, TSPropertySignature, MethodDefinition, PropertyDefinition": check,
    };
  },
};

export default { meta: { name: "docstrings" }, rules: { head } };
