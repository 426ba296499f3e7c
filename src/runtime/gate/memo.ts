import { type Field, fromHours, listOr } from "../../fields";

/** A field that a reader of the schedules' own makes sense of; the last readings are kept by content. */
export function readWith<T>(read: (value: unknown) => T): Field<T, false> {
  const recall = remembered(read);
  return { ...listOr(), check: (value, field) => fromHours(field, () => recall(value)) } as Field<T, false>;
}

/** The last readings by content: what comes with every message is read once. */
function remembered<T>(read: (value: unknown) => T): (value: unknown) => T {
  const most = 100;
  const known = new Map<string, T>();
  return (value) => {
    let content: string | undefined;
    try {
      content = typeof value === "string" ? value : JSON.stringify(value);
    } catch {
      content = undefined;
    }
    if (content === undefined) return read(value);
    const before = known.get(content);
    if (before !== undefined) return before;
    const result = read(value);
    if (known.size >= most) known.clear();
    known.set(content, result);
    return result;
  };
}
