/** Focuses the page heading when a field is left: page shortcuts work again, and Tab starts at the top. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
