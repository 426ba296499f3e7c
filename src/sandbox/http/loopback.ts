/**
 * Listening on 127.0.0.1 alone does not keep a web page out: its own name may be made to resolve to that address (DNS
 * rebinding). Its requests still name it in the Host header, and those are turned away.
 */
export function isOwnHost(host: string | undefined, port: number): host is string {
  const [, name, named = "80"] = /^(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? "") ?? [];
  return name !== undefined && Number(named) === port;
}

/** Browsers name the page that asks; everything else sends no Origin and is not asked for one. */
export function isOwnOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
}
