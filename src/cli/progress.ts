/** Aborts when the user presses Ctrl+C. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** Shows where the clock is, in one line that is written over; only to a person at a terminal. */
export function terminalProgress() {
  const { stderr } = process;
  if (!stderr.isTTY) return undefined;
  const line = (text: string) => void stderr.write(`\r\u001b[K${text}`);
  return {
    show: (at: string, calls: number) => line(`${at.slice(0, 16).replace("T", " ")}  calls: ${calls}`),
    end: () => line(""),
  };
}
