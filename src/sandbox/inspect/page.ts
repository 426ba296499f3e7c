import { builtPage } from "./built";

const { policy, html } = builtPage("sandbox", "Telephony sandbox", "connect-src 'self'", "frame-ancestors 'self'");

/**
 * The page that shows the sandbox's calls and requests; send it with `sandboxPageHeaders`. It loads its data from below
 * its own address (`…/view`, `…/changes`) and contains none itself, so it needs no permission. Where these need a bearer
 * token, open the page as `…?access_token=<token>`. `lang`, `theme` (`dark` or `light`) and `zone` choose how it looks.
 */
export const sandboxPage = html();

/** Headers for the page. Its policy allows only its own script and style. */
export const sandboxPageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
