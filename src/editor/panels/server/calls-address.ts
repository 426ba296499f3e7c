/**
 * The address of the page with the calls of a sandbox. A link and a frame cannot carry a header, so it carries the login that
 * Node-RED may require.
 */
export function callsAddress(tenant: string, options: Readonly<Record<string, string>> = {}): string {
  const token = RED.settings.get("auth-tokens")?.access_token;
  const query = new URLSearchParams({ ...options, ...(token && { access_token: token }) }).toString();
  return `telephony/sandbox/${encodeURIComponent(tenant)}${query && `?${query}`}`;
}
