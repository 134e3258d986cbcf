/** Moves the focus from a field to the list of the page, so that the list keys work, or to the page heading. */
export function leaveField(field: Element): void {
  const page = field.closest("main");
  const next = page?.querySelector<HTMLElement>("[role=grid]") ?? page?.querySelector<HTMLElement>("h1");
  next?.focus({ preventScroll: true });
}
