import type { Rehearsal } from "../rehearsal/rehearsal";
import { builtFile, sha256 } from "../sandbox/inspect/built";

/** What the page shows: the report, and what only people need to know. */
export type PageData = Pick<Rehearsal, "report" | "notes" | "cutShort" | "nodeRedPath">;

/** The report as a page that stands alone: no request, no other file. */
export function htmlOf({ report, notes, cutShort, nodeRedPath }: Rehearsal): string {
  const [script, style, texts] = [builtFile("rehearsal.js"), builtFile("rehearsal.css"), builtFile("rehearsal.json")];
  const data: PageData = { report, notes, cutShort, nodeRedPath };
  const policy = [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="${policy}">
<title>Telephony rehearsal</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<script type="application/json" id="texts">${inert(texts)}</script>
<script type="application/json" id="data">${inert(JSON.stringify(data))}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that cannot end the element in which it stands. */
function inert(json: string): string {
  return json.replaceAll("<", "\\u003c");
}
