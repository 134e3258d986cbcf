/** One key press of a chord. */
export interface Stroke {
  /** A lower-case letter, a digit, a sign, or the name of a key: `a`, `1`, `?`, `Escape`, `Space`. */
  key: string;
  /** ⌘ on Apple keyboards, Ctrl on others. */
  isMod: boolean;
  isShift: boolean;
  isAlt: boolean;
}

const MODIFIERS: Readonly<Record<string, "isMod" | "isShift" | "isAlt">> = {
  "⇧": "isShift",
  "shift+": "isShift",
  "mod+": "isMod",
  "alt+": "isAlt",
};
const NAMED = /^(?:Escape|Enter|Space|Tab|Backspace|Delete|Home|End|PageUp|PageDown|Arrow(?:Up|Down|Left|Right))$/;

/** Parses `g a`, `⇧A`, `mod+k`, `?`. Throws for an invalid chord. */
export function parseChord(chord: string): Stroke[] {
  return chord.split(" ").map((text) => parseStroke(text, chord));
}

function parseStroke(text: string, chord: string): Stroke {
  const stroke: Stroke = { key: "", isMod: false, isShift: false, isAlt: false };
  let rest = text;
  for (let found = findModifier(rest); found; found = findModifier(rest)) {
    stroke[found[1]] = true;
    rest = rest.slice(found[0].length);
  }
  if (!NAMED.test(rest) && Array.from(rest).length !== 1) throw new Error(`invalid chord of keys: '${chord}'`);
  return { ...stroke, key: NAMED.test(rest) ? rest : rest.toLowerCase() };
}

function findModifier(text: string) {
  return Object.entries(MODIFIERS).find(([prefix]) => text.startsWith(prefix) && text.length > prefix.length);
}
