// biome-ignore lint/suspicious/noExplicitAny: functions of any signature are replaced.
export type AnyFunction = (this: any, ...given: any[]) => any;
export type Native = Record<string, AnyFunction>;

/** Replaces a method for good. The original stays reachable for the replacement only. */
export function replace(target: object, name: string, make: (original: AnyFunction) => AnyFunction): void {
  const methods = target as Native;
  const original = methods[name];
  if (typeof original !== "function") return;
  const value = make(original);
  Object.defineProperty(target, name, { value, writable: false, configurable: false, enumerable: true });
}

/** Replaces methods by ones that throw. */
export function forbid(target: object, names: readonly string[]): void {
  for (const name of names)
    replace(target, name, () => () => {
      throw notAllowed(name);
    });
}

export function notAllowed(what: string): Error {
  return Object.assign(new Error(`${what} is not allowed in a rehearsal`), { code: "ERR_ACCESS_DENIED" });
}
