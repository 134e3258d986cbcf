// Splits like the text index of the message: ASCII letters and digits and all characters beyond ASCII form words.
const SEPARATORS = /[^0-9A-Za-z\u0080-\uffff]+/;

/** The words of a text as the text index stores them, with ASCII letters in lower case. */
export function splitWords(text: string): string[] {
  const words = text.split(SEPARATORS).filter((word) => word !== "");
  return [...new Set(words.map(lowerAscii))];
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
