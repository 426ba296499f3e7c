import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package: that of the nearest package.json above. */
export const packageFolder = nearest(__dirname);

const built = (file: string) => readFileSync(join(packageFolder, "resources", file), "utf8");
const script = built("sandbox.js");
const style = built("sandbox.css");

/**
 * The page that shows the sandbox's calls and requests; send it with `sandboxPageHeaders`. It loads its data from
 * `<its own address>/log` and `<its own address>/calls` and contains none itself, so it needs no permission. Where
 * those two need a bearer token, open the page as `…?access_token=<token>`.
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
<header>
<h1>Telephony sandbox</h1>
<p id="status" class="soft">…</p>
</header>
<p class="soft">A simulated tenant: no phone rings. Newest first, the last hundred of each.</p>
<main>
<section>
<h2>Calls</h2>
<p id="calls-none" class="soft" hidden>No call yet.</p>
<div id="calls"></div>
</section>
<section>
<h2>Requests</h2>
<div class="table"><table>
<thead><tr><th>Time</th><th>Request</th><th>Answer</th><th class="number">Took</th></tr></thead>
<tbody id="log"></tbody>
</table></div>
<p id="log-none" class="soft" hidden>No request yet.</p>
</section>
</main>
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
  ].join("; "),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function sha256(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

function nearest(folder: string): string {
  return existsSync(join(folder, "package.json")) ? folder : nearest(dirname(folder));
}
