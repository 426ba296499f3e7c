import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package: that of the nearest package.json above. */
export const packageFolder = nearest(__dirname);

function nearest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearest(dirname(folder));
}

/**
 * A page with the script, the style and the texts that the build made, and the policy that allows no others.
 * @param allowed further directives of the policy
 */
export function builtPage(name: string, title: string, ...allowed: readonly string[]) {
  const read = (kind: string) => readFileSync(join(packageFolder, "resources", `${name}.${kind}`), "utf8");
  const [script, style, texts] = [read("js"), read("css"), read("json")];
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    ...allowed,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    // Only the templates of lit-html become markup: the browser itself refuses any other text.
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
  const html = (head = "", data: Readonly<Record<string, string>> = {}) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${head}<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${Object.entries({ texts, ...data })
  .map(jsonElement)
  .join("\n")}
<script>${script}</script>
</body>
</html>
`;
  return { policy, html };
}

/** Data, no script: the policy does not concern it. Nothing in it can end the element. */
function jsonElement([id, json]: readonly [string, string]): string {
  return `<script type="application/json" id="${id}">${json.replaceAll("<", "\\u003c")}</script>`;
}

/** A source that a content security policy allows. */
function sha256(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}
