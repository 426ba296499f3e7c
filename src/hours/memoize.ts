/** Keeps the last result, because most calls are about the same objects. */
export function memoizeLast<Args extends readonly unknown[], T>(make: (...args: Args) => T): (...args: Args) => T {
  let last: { readonly args: Args; readonly result: T } | undefined;
  return (...args) => {
    let isSame = last !== undefined;
    for (let index = 0; isSame && index < args.length; index += 1) isSame = last?.args[index] === args[index];
    if (!last || !isSame) last = { args, result: make(...args) };
    return last.result;
  };
}

/** Keeps the result for each key. */
export function memoizeEach<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const known = new Map<Key, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, make(key));
    return known.get(key) as T;
  };
}
