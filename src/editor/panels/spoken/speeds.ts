import { shared } from "../../words";

/** The speeds that have a word. The service takes other numbers too. */
const SPEEDS = [-3, -2, -1, 0, 1, 2, 3] as const;

export function speeds(): { value: string; label: string }[] {
  const words = SPEEDS.map((speed) => ({ value: String(speed), label: shared(`spoken.speed.words.${speed}`) }));
  return [{ value: "", label: shared("spoken.speed.default") }, ...words];
}
