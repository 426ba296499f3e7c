/** How many schedules the tenant has. */
export const SCHEDULES = 10_000;

const DAYS = ["mon", "tue", "wed", "thu", "fri"] as const;

export function envelope(data: unknown): string {
  return JSON.stringify({ success: true, code: 200, locale: "en", message: "OK", data });
}

/** A schedule as the service's interface shows one. */
export function schedule(id: number) {
  const days = DAYS.map((day, index) => ({ id: id * 10 + index, day, open: "08:00:00", close: "17:30:00" }));
  return { id, name: `Schedule ${id}`, enable: 1, days };
}

/** A page of the list, with what a client needs to follow it. */
export function page(current: number, limit: number, total: number) {
  const first = (current - 1) * limit + 1;
  const count = Math.max(0, Math.min(limit, total - first + 1));
  return {
    current_page: current,
    data: Array.from({ length: count }, (_, index) => schedule(first + index)),
    from: first,
    last_page: Math.ceil(total / limit),
    per_page: limit,
    to: first + count - 1,
    total,
  };
}
