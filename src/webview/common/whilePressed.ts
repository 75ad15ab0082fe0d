/** Follows a pressed pointer until it is let go, or its press is taken away. */
export function whilePressed(
  target: GlobalEventHandlers,
  moved: (event: PointerEvent) => void,
  ended: (event: PointerEvent) => void,
): void {
  const over = new AbortController();
  const { signal } = over;
  const end = (event: PointerEvent) => {
    over.abort();
    ended(event);
  };
  target.addEventListener('pointermove', moved, { signal });
  target.addEventListener('pointerup', end, { signal });
  target.addEventListener('pointercancel', end, { signal });
}
