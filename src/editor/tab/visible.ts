/**
 * Tells whenever an element appears on the screen or disappears: in a sidebar that opens or closes, behind another tab of
 * it, or with the whole page.
 */
export function watchVisibility(element: Element, changed: (isVisible: boolean) => void): void {
  let isOnScreen = false;
  let isVisible = false;
  const update = () => {
    const is = isOnScreen && !document.hidden;
    if (is === isVisible) return;
    isVisible = is;
    changed(is);
  };
  new IntersectionObserver((entries) => {
    isOnScreen = entries[entries.length - 1]?.isIntersecting ?? false;
    update();
  }).observe(element);
  document.addEventListener("visibilitychange", update);
}
