const drafts = new Map<string, string>();

/** What was written of a playbook and not saved, while the console is open: another page does not lose it. */
export function readDraft(id: string): string | undefined {
  return drafts.get(id);
}

export function keepDraft(id: string, text: string | undefined): void {
  if (text === undefined) drafts.delete(id);
  else drafts.set(id, text);
}
