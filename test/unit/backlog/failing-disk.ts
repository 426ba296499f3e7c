import { open } from "node:fs/promises";

type Call = (...args: unknown[]) => Promise<unknown>;

/** Fails a system call on each open file from now on, and the others that are named from its first failure on. Returns what ends this. */
export async function failing(code: string, first: string, ...others: readonly string[]): Promise<() => void> {
  const file = await open(__filename);
  const calls = Object.getPrototypeOf(file) as Record<string, Call>;
  await file.close();
  const real: Record<string, Call> = {};
  let hasFailed = false;
  for (const name of [first, ...others]) {
    const call = calls[name] as Call;
    real[name] = call;
    calls[name] = function (this: unknown, ...args: unknown[]) {
      if (name !== first && !hasFailed) return call.apply(this, args);
      hasFailed = true;
      return Promise.reject(Object.assign(new Error(`${code}: ${name}`), { code }));
    };
  }
  return () => void Object.assign(calls, real);
}
