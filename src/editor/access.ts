/** A property of the tenant as its open dialog has it. */
export function shownText(property: string): string {
  return String($(`#node-config-input-${property}`).val() ?? "").trim();
}

/** What decides where a request goes, and with which token. */
export const ACCESS = ["mode", "url", "token", "authHeader", "tls", "proxy"];

export function shownAccess(): string {
  return ACCESS.map(shownText).join("\n");
}
