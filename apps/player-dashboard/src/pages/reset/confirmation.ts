/** Whether somebody typed the name; spaces around it, letter case and the way an accent is composed do not matter. */
export function isConfirmed(typed: string, name: string): boolean {
  return sameForm(typed) === sameForm(name);
}

function sameForm(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
