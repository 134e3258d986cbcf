/** Moves the focus from a field of the page to its list, whose keys then work, or to its heading. Never to nothing. */
export function leaveField(field: Element): void {
  const page = field.closest("main");
  const next = page?.querySelector<HTMLElement>("[role=grid]") ?? page?.querySelector<HTMLElement>("h1");
  next?.focus({ preventScroll: true });
}
