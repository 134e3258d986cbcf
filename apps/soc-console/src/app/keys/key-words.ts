import { parseChord, type Stroke } from "./chord.ts";

const NAMES: Readonly<Record<string, string>> = {
  Escape: "Esc",
  Enter: "↵",
  Space: "Space",
  Tab: "Tab",
  Backspace: "⌫",
  Delete: "Del",
  PageUp: "PgUp",
  PageDown: "PgDn",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** Whether mod is ⌘. */
export function isAppleKeyboard(userAgent: string): boolean {
  return /Mac|iPhone|iPad/.test(userAgent);
}

/** The key caps of a chord, one list per press: `g a` is [["G"], ["A"]], `mod+k` is [["⌘", "K"]] or [["Ctrl", "K"]]. */
export function keyCaps(chord: string, isApple: boolean): string[][] {
  return parseChord(chord).map((stroke) => strokeCaps(stroke, isApple));
}

function strokeCaps({ key, isMod, isShift, isAlt }: Stroke, isApple: boolean): string[] {
  return [
    ...(isMod ? [isApple ? "⌘" : "Ctrl"] : []),
    ...(isAlt ? [isApple ? "⌥" : "Alt"] : []),
    ...(isShift ? ["⇧"] : []),
    NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ];
}

/** Text for a tooltip: `G A`, `⌘K`, `Ctrl+K`. */
export function chordWords(chord: string, isApple: boolean): string {
  return keyCaps(chord, isApple)
    .map((caps) => caps.join(isApple ? "" : "+").replace("⇧+", "⇧"))
    .join(" ");
}

/** The chord in the format of `aria-keyshortcuts`; undefined for a sequence, which the format cannot express. */
export function ariaChord(chord: string, isApple: boolean): string | undefined {
  const [stroke, ...rest] = parseChord(chord);
  if (!stroke || rest.length > 0) return undefined;
  const { key, isMod, isShift, isAlt } = stroke;
  return [
    ...(isMod ? [isApple ? "Meta" : "Control"] : []),
    ...(isAlt ? ["Alt"] : []),
    ...(isShift ? ["Shift"] : []),
    key.length === 1 ? key.toUpperCase() : key,
  ].join("+");
}
