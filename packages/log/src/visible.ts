/** Characters that control a terminal or change the direction of a text. Line breaks and tabs are not among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control characters.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Writes these characters as JSON escapes, so that a line of JSON keeps its value. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
