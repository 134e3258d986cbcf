import { parseChord, type Stroke } from "./chord.ts";

/** What a keydown event says of the keys. */
export interface KeyPress {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** AltGr: it writes signs such as `[`, though browsers report Ctrl and Alt. */
  isAltGraph: boolean;
  /** Milliseconds, on any clock. */
  timeStamp: number;
}

/** A chord and the command that it runs. */
export interface Binding {
  strokes: readonly Stroke[];
  id: string;
}

/** The first keys of a sequence, and when the last of them was pressed. */
export interface PendingKeys {
  presses: readonly KeyPress[];
  at: number;
}

export interface Pressed {
  /** The command to run. */
  id: string | undefined;
  /** What the next press continues; undefined when no sequence has begun. */
  pending: PendingKeys | undefined;
}

const MAX_PAUSE_MS = 1000;
const NON_ASCII = /[^\x20-\x7e]/;
/** Where a sign is on a US keyboard, for layouts without Latin letters: the Arabic one has another letter on each. */
const PLACES: Readonly<Record<string, { code: string; isShift: boolean }>> = {
  "/": { code: "Slash", isShift: false },
  "?": { code: "Slash", isShift: true },
  ".": { code: "Period", isShift: false },
  ",": { code: "Comma", isShift: false },
  "[": { code: "BracketLeft", isShift: false },
  "]": { code: "BracketRight", isShift: false },
  "\\": { code: "Backslash", isShift: false },
  ";": { code: "Semicolon", isShift: false },
  "'": { code: "Quote", isShift: false },
  "!": { code: "Digit1", isShift: true },
};

export function bindKeys(commands: readonly { id: string; keys?: readonly string[] | undefined }[]): Binding[] {
  return commands.flatMap(({ id, keys = [] }) => keys.map((chord) => ({ id, strokes: parseChord(chord) })));
}

/** Whether a keydown is that stroke. A letter counts by what the key writes and, where that is no Latin letter, by its place. */
export function matchesStroke(press: KeyPress, stroke: Stroke, isApple: boolean): boolean {
  return hasModifiers(press, stroke, isApple) && hasKey(press, stroke);
}

function hasModifiers({ ctrlKey, metaKey, altKey, isAltGraph }: KeyPress, stroke: Stroke, isApple: boolean): boolean {
  if (isAltGraph) return !stroke.isMod && !stroke.isAlt;
  const [mod, other] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return mod === stroke.isMod && !other && altKey === stroke.isAlt;
}

function hasKey({ key, code, shiftKey }: KeyPress, stroke: Stroke): boolean {
  const isForeign = NON_ASCII.test(key);
  if (/^[a-z]$/.test(stroke.key)) {
    const isLetter = isForeign ? code === `Key${stroke.key.toUpperCase()}` : key.toLowerCase() === stroke.key;
    return isLetter && shiftKey === stroke.isShift;
  }
  if (/^\d$/.test(stroke.key)) {
    return key === stroke.key || (isForeign && !shiftKey && code === `Digit${stroke.key}`);
  }
  if (stroke.key.length > 1) return (stroke.key === "Space" ? " " : stroke.key) === key && shiftKey === stroke.isShift;
  // A sign needs Shift on one layout and none on another.
  if (!isForeign) return key === stroke.key;
  const place = PLACES[stroke.key];
  return key === stroke.key || (place !== undefined && code === place.code && shiftKey === place.isShift);
}

/** Shift, Ctrl and their like alone: part of a later press. */
export function isModifierAlone({ key }: Pick<KeyPress, "key">): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn)$/.test(key);
}

/**
 * What a press means after those before it. Among bindings the first one wins, so the caller puts the page's before the
 * console's. A press that continues no sequence begins again.
 */
export function pressKey(
  press: KeyPress,
  pending: PendingKeys | undefined,
  { bindings, isApple }: { bindings: readonly Binding[]; isApple: boolean },
): Pressed {
  const isInTime = pending !== undefined && press.timeStamp - pending.at <= MAX_PAUSE_MS;
  const presses = isInTime ? [...pending.presses, press] : [press];
  const found = bindings.find(
    ({ strokes }) =>
      strokes.length >= presses.length &&
      presses.every((each, at) => {
        const stroke = strokes[at];
        return stroke !== undefined && matchesStroke(each, stroke, isApple);
      }),
  );
  if (found?.strokes.length === presses.length) return { id: found.id, pending: undefined };
  if (found) return { id: undefined, pending: { presses, at: press.timeStamp } };
  return isInTime ? pressKey(press, undefined, { bindings, isApple }) : { id: undefined, pending: undefined };
}

/** Chords that two commands of one page share, or of which one begins the other: one of them would never run. */
export function findClashes(bindings: readonly Binding[]): string[] {
  return bindings.flatMap((binding, at) =>
    bindings
      .slice(at + 1)
      .filter((other) => isBeginning(binding.strokes, other.strokes))
      .map((other) => `${binding.id} and ${other.id} have the same keys`),
  );
}

function isBeginning(one: readonly Stroke[], other: readonly Stroke[]): boolean {
  const length = Math.min(one.length, other.length);
  const spell = (strokes: readonly Stroke[]) => JSON.stringify(strokes.slice(0, length));
  return spell(one) === spell(other);
}
