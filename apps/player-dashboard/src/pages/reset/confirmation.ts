/** Whether the typed text is the name, ignoring surrounding spaces, letter case and Unicode composition. */
export function isConfirmed(typed: string, name: string): boolean {
  return sameForm(typed) === sameForm(name);
}

function sameForm(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
