/** Milliseconds for which a message stays. */
const STAYS = 8000;
const timers = new WeakMap<Element, ReturnType<typeof setTimeout>>();

/**
 * Shows a message in a live region, without taking the focus.
 * @param more a link or button to go on with. A message with a button stays, as the page offers no other way.
 */
export function show(region: HTMLElement, message: string, more?: HTMLElement): void {
  clearTimeout(timers.get(region));
  region.replaceChildren(message);
  if (more) region.append(" ", more);
  if (!more?.matches("button")) clearLater(region);
}

/** A message whose link is focused or hovered stays. */
function clearLater(region: HTMLElement): void {
  const timer = setTimeout(() => {
    if (region.matches(":focus-within,:hover")) clearLater(region);
    else region.replaceChildren();
  }, STAYS);
  timers.set(region, timer);
}
