import { parseChord, type Stroke } from "./chord.ts";

/** The properties of a keydown event that matter here. */
export interface KeyPress {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** AltGr types signs such as `[`, although browsers report Ctrl and Alt. */
  isAltGraph: boolean;
  /** Milliseconds of any monotonic clock. */
  timeStamp: number;
}

/** A chord and its command. */
export interface Binding {
  strokes: readonly Stroke[];
  id: string;
}

/** The keys of a sequence pressed so far, and the time of the last one. */
export interface PendingKeys {
  presses: readonly KeyPress[];
  at: number;
}

export interface KeyPressResult {
  /** The command to run. */
  id: string | undefined;
  /** The sequence that the next press continues; undefined without one. */
  pending: PendingKeys | undefined;
}

const MAX_PAUSE_MS = 1000;
const NON_ASCII = /[^\x20-\x7e]/;
/** Position of each sign on a US keyboard, for layouts without Latin letters such as the Arabic one. */
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

/**
 * Whether a keydown is that stroke. A letter is compared by its character or, on a non-Latin layout, by its position.
 */
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
  // A sign needs Shift on one layout and not on another.
  if (!isForeign) return key === stroke.key;
  const place = PLACES[stroke.key];
  return key === stroke.key || (place !== undefined && code === place.code && shiftKey === place.isShift);
}

/** Modifier keys alone belong to a later press. */
export function isModifierAlone({ key }: Pick<KeyPress, "key">): boolean {
  return /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Fn)$/.test(key);
}

/**
 * Resolves a key press in the context of the previous ones. The first matching binding wins, so the caller puts the
 * page's bindings before the console's. A press that continues no sequence starts over.
 */
export function pressKey(
  press: KeyPress,
  pending: PendingKeys | undefined,
  { bindings, isApple }: { bindings: readonly Binding[]; isApple: boolean },
): KeyPressResult {
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

/**
 * Chords that two commands of one page share, or of which one is a prefix of the other: one of them would never run.
 */
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
