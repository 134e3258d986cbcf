export interface Mention {
  /** Position of the @. */
  start: number;
  /** The text after it. */
  typed: string;
}

const BEFORE_CARET = /(?:^|[^\p{L}\p{N}_@.-])@([\p{L}\p{N}_.@-]*)$/u;

/** The mention at the caret; undefined if there is none. */
export function findMention(text: string, caret: number): Mention | undefined {
  const typed = BEFORE_CARET.exec(text.slice(0, caret))?.[1];
  return typed === undefined ? undefined : { start: caret - typed.length - 1, typed };
}

/** Inserts the name; returns the text and the new caret position. */
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

/** Names with this prefix come before names that contain the text. */
export function suggestNames(names: readonly string[], typed: string): string[] {
  const wanted = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const contains = names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(wanted));
  return [...begins, ...contains].slice(0, MAX_SHOWN);
}
