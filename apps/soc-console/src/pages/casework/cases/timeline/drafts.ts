/** Unsent comments by case. They survive tab changes and the session, but not the window. */
const drafts = new Map<string, string>();

export function readDraft(caseId: string): string {
  return drafts.get(caseId) ?? "";
}

export function keepDraft(caseId: string, text: string): void {
  if (text === "") drafts.delete(caseId);
  else drafts.set(caseId, text);
}
