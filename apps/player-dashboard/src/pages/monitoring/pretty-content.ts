/** JSON in lines, also the JSON inside of an answer; any other text as it is. */
export function prettyContent(content: string): string {
  const value = parseJson(content);
  return value === undefined ? content : JSON.stringify(value, withOpenedText, 2).replaceAll(String.raw`\n`, "\n");
}

/** A measurement is JSON in a text, because its text is what was signed. */
function withOpenedText(name: string, value: unknown): unknown {
  return name === "measurement" && typeof value === "string" ? (parseJson(value) ?? value) : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
