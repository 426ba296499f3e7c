import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { html, Markup } from "./markup";

/** The folder of the package: that of the nearest package.json above. */
export const packageFolder = nearest(__dirname);

function nearest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearest(dirname(folder));
}

/** Reads what the build made for a page: its script, its style or its texts. */
export function resource(file: `${string}.${"js" | "css" | "json"}`): string {
  return readFileSync(join(packageFolder, "resources", file), "utf8");
}

interface Page {
  readonly language: string;
  readonly title: string;
  readonly style: string;
  readonly script?: string | undefined;
  readonly body: Markup;
}

/**
 * The policy of a page, which allows its own style and script and no others.
 * @param allowed further directives
 */
export function policyOf({ style, script }: Pick<Page, "style" | "script">, ...allowed: readonly string[]): string {
  return [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${sha256(script)}'`]),
    `style-src '${sha256(style)}'`,
    ...allowed,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    // The browser itself refuses to make markup from text.
    "require-trusted-types-for 'script'",
  ].join("; ");
}

/** @param policy stands in the page where no header can have it */
export function documentOf({ language, title, style, script, body }: Page, policy?: string): string {
  const meta = policy && html`<meta http-equiv="content-security-policy" content="${policy}">\n`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${meta}<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
${body}${script && html`\n<script>${new Markup(script)}</script>`}
</body>
</html>
`.html;
}

/** Embeds data, no script: the policy does not concern it. Nothing in it can end the element. */
export function jsonElement(id: string, json: string): Markup {
  return html`<script type="application/json" id="${id}">${new Markup(json.replaceAll("<", "\\u003c"))}</script>`;
}

/** A source that a content security policy allows. */
function sha256(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}
