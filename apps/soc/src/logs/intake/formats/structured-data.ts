type Element = Record<string, string | string[]>;

interface StructuredData {
  /** Undefined for the nil value. */
  elements: Record<string, Element> | undefined;
  /** The text that follows, without the blank before it. */
  rest: string;
}

const NAME = /^[^\s="\]]{1,64}/;

/** RFC 5424, section 6.3. Undefined if the text is malformed. */
export function elementsIn(text: string): StructuredData | undefined {
  if (text.startsWith("-")) return endsWell(text, 1) ? { elements: undefined, rest: text.slice(2) } : undefined;
  const elements: Record<string, Element> = {};
  let at = 0;
  while (text.charAt(at) === "[") {
    const read = elementAt(text, at + 1);
    if (!read) return undefined;
    if (read.name !== "__proto__") elements[read.name] = read.element;
    at = read.end;
  }
  return at > 0 && endsWell(text, at) ? { elements, rest: text.slice(at + 1) } : undefined;
}

function endsWell(text: string, at: number): boolean {
  return at >= text.length || text.charAt(at) === " ";
}

function elementAt(text: string, from: number): { name: string; element: Element; end: number } | undefined {
  const name = NAME.exec(text.slice(from, from + 65))?.[0];
  if (name === undefined) return undefined;
  const element: Element = {};
  let at = from + name.length;
  while (text.charAt(at) === " ") {
    const key = NAME.exec(text.slice(at + 1, at + 66))?.[0];
    // Some senders write a blank before the bracket.
    if (key === undefined && text.charAt(at + 1) === "]") {
      at += 1;
      break;
    }
    if (key === undefined || text.slice(at + 1 + key.length, at + 3 + key.length) !== '="') return undefined;
    const value = valueAt(text, at + 3 + key.length);
    if (!value) return undefined;
    put(element, key, value.text);
    at = value.end;
  }
  return text.charAt(at) === "]" ? { name, element, end: at + 1 } : undefined;
}

/** A parameter may occur more than once. */
function put(element: Element, key: string, text: string): void {
  if (key === "__proto__") return;
  const known = element[key];
  element[key] = known === undefined ? text : [known, text].flat();
}

/** Section 6.3.3: a quote, a backslash and a closing bracket are escaped; any other backslash is literal. */
function valueAt(text: string, from: number): { text: string; end: number } | undefined {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === '"') return { text: text.slice(from, at).replace(/\\(["\\\]])/g, "$1"), end: at + 1 };
  }
  return undefined;
}
