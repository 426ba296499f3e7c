/** The address of the page with the calls of a sandbox. */
export function callsAddress(tenant: string, options: Readonly<Record<string, string>> = {}): string {
  return withLogin(`telephony/sandbox/${encodeURIComponent(tenant)}`, options);
}

/** The address of a page with the login that Node-RED may require: a link and a frame cannot carry a header. */
export function withLogin(page: string, options: Readonly<Record<string, string>> = {}): string {
  const token = RED.settings.get("auth-tokens")?.access_token;
  const query = new URLSearchParams({ ...options, ...(token && { access_token: token }) }).toString();
  return page + (query && `?${query}`);
}
