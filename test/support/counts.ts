/** The counts of a telephony-control node, and of the editor, for a tenant for which nothing waits. */
export const NOTHING_WAITS = {
  paused: false,
  held: false,
  heldUntil: null,
  reason: null,
  reasonSince: null,
  resting: false,
  restsUntil: null,
  lists: [],
  waiting: { callOut: 0, other: 0 },
  dated: 0,
  heldBack: 0,
  underWay: 0,
  unknown: 0,
  dropped: 0,
};
