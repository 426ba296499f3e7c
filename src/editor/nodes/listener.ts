import { rowOf } from "../inputs/input";

/** Says what listening means to the others on the line, as long as it is or may be asked for. */
export function warnOfListener(): void {
  const input = $("#node-input-spyCall");
  const warn = () => {
    const value = input.typedInput("value");
    const silent = input.typedInput("type") === "bool" && ["", "false", "0", "off"].includes(value);
    rowOf(input).find(".telephony-hint").toggleClass("telephony-problem", !silent).toggle(!silent);
  };
  input.on("change", warn);
  warn();
}
