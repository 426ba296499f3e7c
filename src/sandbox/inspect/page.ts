import { builtFile, sha256 } from "./built";

const script = builtFile("sandbox.js");
const style = builtFile("sandbox.css");
/** Data, no script: the policy does not concern it. */
const texts = builtFile("sandbox.json").replaceAll("<", "\\u003c");

/**
 * The page that shows the sandbox's calls and requests; send it with `sandboxPageHeaders`. It loads its data from below
 * its own address (`…/view`, `…/changes`) and contains none itself, so it needs no permission. Where these need a bearer
 * token, open the page as `…?access_token=<token>`. `lang`, `theme` (`dark` or `light`) and `zone` choose how it looks.
 */
export const sandboxPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Telephony sandbox</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<script type="application/json" id="texts">${texts}</script>
<script>${script}</script>
</body>
</html>
`;

/** Headers for the page. Its policy allows only its own script and style. */
export const sandboxPageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src '${sha256(script)}'`,
    `style-src '${sha256(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    // Only the templates of lit-html become markup: the browser itself refuses any other text.
    "require-trusted-types-for 'script'",
    "trusted-types lit-html",
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
