let isPending = false;
let draw = () => {};

export function drawWith(drawPage: () => void): void {
  draw = drawPage;
}

/**
 * Draws the page once the running code has ended. Not an animation frame: the title of a page in the background must say
 * that a phone rings, too.
 */
export function redraw(): void {
  if (isPending) return;
  isPending = true;
  queueMicrotask(() => {
    isPending = false;
    draw();
  });
}
