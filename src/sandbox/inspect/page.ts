import { documentOf, jsonElement, policyOf, resource } from "../../page/document";

const [script, style] = [resource("sandbox.js"), resource("sandbox.css")];
const body = jsonElement("texts", resource("sandbox.json"));

/**
 * The page that shows the sandbox's calls and requests; send it with `sandboxPageHeaders`. It loads its data from below
 * its own address (`…/view`, `…/changes`) and contains none itself, so it needs no permission. Where these need a bearer
 * token, open the page as `…?access_token=<token>`. `lang`, `theme` (`dark` or `light`) and `zone` choose how it looks.
 */
export const sandboxPage = documentOf({ language: "en", title: "Telephony sandbox", style, script, body });

const ALLOWED = ["connect-src 'self'", "frame-ancestors 'self'", "trusted-types lit-html"];

/** Headers for the page. Its policy allows only its own script and style. */
export const sandboxPageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policyOf({ style, script }, ...ALLOWED),
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
