const drafts = new Map<string, string>();

/** Unsaved text of playbooks while the console is open: it survives a change of page. */
export function readDraft(id: string): string | undefined {
  return drafts.get(id);
}

export function keepDraft(id: string, text: string | undefined): void {
  if (text === undefined) drafts.delete(id);
  else drafts.set(id, text);
}
