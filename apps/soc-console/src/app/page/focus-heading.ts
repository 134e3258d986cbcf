/** Where the focus goes when a field is left: the letters act on the page again, and Tab begins at its top. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
