import type { NoticeKey } from "./text-key";
import type { Params } from "./word";

/** A value that is sent as it is, but may be a mistake. */
export interface Notice {
  /** Key below `log.notice` in the shared catalogue. */
  readonly key: NoticeKey;
  readonly params: Params;
  /** Notices of one reason are given once. */
  readonly reason: string;
}

/** Messages choose some of the reasons, and they must not fill the memory or the log. */
const MOST = 100;

/** Passes each notice on once for its reason. */
export function onlyOnce(give: (notice: Notice) => void): (notice: Notice) => void {
  const given = new Set<string>();
  return (notice) => {
    if (given.has(notice.reason) || given.size >= MOST) return;
    given.add(notice.reason);
    give(notice);
  };
}
