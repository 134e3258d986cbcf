export interface Mention {
  /** Where the @ is. */
  start: number;
  /** What is typed after it. */
  typed: string;
}

const BEFORE_CARET = /(?:^|[^\p{L}\p{N}_@.-])@([\p{L}\p{N}_.@-]*)$/u;

/** The mention that is being typed at the caret; undefined when there is none. */
export function findMention(text: string, caret: number): Mention | undefined {
  const typed = BEFORE_CARET.exec(text.slice(0, caret))?.[1];
  return typed === undefined ? undefined : { start: caret - typed.length - 1, typed };
}

/** The text with the name written out, and where the caret stands then. */
export function completeMention(
  text: string,
  { start, typed }: Mention,
  name: string,
): { text: string; caret: number } {
  const end = start + 1 + typed.length;
  const written = `@${name} `;
  const rest = text.slice(end).replace(/^ /, "");
  return { text: text.slice(0, start) + written + rest, caret: start + written.length };
}

const MAX_SHOWN = 6;

/** Names that begin so come before names that contain it. */
export function suggestNames(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const contains = names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(wanted));
  return [...begins, ...contains].slice(0, MAX_SHOWN);
}
