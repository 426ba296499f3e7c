/** One line of the table that `npm run soak` ends with. */
export interface Figure {
  readonly figure: string;
  readonly wanted: string;
  readonly found: string;
  readonly holds: boolean;
}

/** A figure that may not exceed a bound. */
export const atMost = (figure: string, most: number, unit: string, found: number, digits = 0): Figure => ({
  figure,
  wanted: `${most} ${unit} at most`,
  found: `${found.toFixed(digits)} ${unit}`,
  holds: found <= most,
});

/** Counts of what may not happen. They hold only if there was something to which it could happen. */
export function none(what: string, counts: Readonly<Record<string, number>>, isTried = true): Figure[] {
  return Object.entries(counts).map(([figure, found]) => ({
    figure: `${what}: ${figure}`,
    wanted: "0",
    found: String(found),
    holds: found === 0 && isTried,
  }));
}

const quick = process.argv.includes("--quick");

/** The share of a number: all, or a tenth with --quick. */
export const share = (all: number): number => (quick ? Math.ceil(all / 10) : all);

/** Uncaught exceptions and unhandled rejections. */
export const mishaps: string[] = [];

/** Runs a part of the soak, alone in its process, sends its figures to the parent and exits. */
export function part(measure: () => Promise<Figure[]>): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (reason: unknown) => {
      const what = reason instanceof Error ? reason.stack : String(reason);
      mishaps.push(`${event}: ${what}`);
      if (mishaps.length <= 5) console.error(mishaps.at(-1));
    });
  }
  measure().then(
    (figures) => end(figures, 0),
    (reason) => {
      console.error(reason);
      end([], 1);
    },
  );
}

function end(figures: Figure[], code: number): void {
  if (!process.send) {
    console.table(figures);
    process.exit(code);
  }
  process.send(figures, () => process.exit(code));
}
