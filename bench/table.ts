/** A Markdown table whose columns also line up where it is read as text. The first column is on the left. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, column)).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line), ""].join("\n");
}

function pad(text: string, width: number, column: number): string {
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}

export const whole = (value: number) => Math.round(value).toLocaleString("en-US");
export const digits = (count: number) => (value: number) => value.toFixed(count);
export const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
