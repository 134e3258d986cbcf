import { describe, expect, it } from "vitest";
import { parseChord } from "./chord.ts";
import { findFocus, mayTake } from "./key-target.ts";
import { bindKeys, findClashes, type KeyPress, matchesStroke, type PendingKeys, pressKey } from "./keymap.ts";

function press(key: string, code: string, rest: Partial<KeyPress> = {}): KeyPress {
  const released = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, isAltGraph: false };
  return { key, code, ...released, timeStamp: 0, ...rest };
}

const COMMANDS = [
  { id: "take", keys: ["a"] },
  { id: "assign", keys: ["⇧A"] },
  { id: "alerts", keys: ["g a"] },
  { id: "palette", keys: ["mod+k"] },
  { id: "sheet", keys: ["?"] },
  { id: "first", keys: ["1"] },
  { id: "rail", keys: ["["] },
  { id: "news", keys: ["."] },
  { id: "severity", keys: ["!"] },
  { id: "peek", keys: ["Space"] },
  { id: "back", keys: ["Escape"] },
];
const BINDINGS = bindKeys(COMMANDS);

function run(pressed: KeyPress, isApple = false): string | undefined {
  return pressKey(pressed, undefined, { bindings: BINDINGS, isApple }).id;
}

describe("a key", () => {
  it.each([
    ["a on a US keyboard", press("a", "KeyA"), "take"],
    ["a with CapsLock", press("A", "KeyA"), "take"],
    ["Shift and a", press("A", "KeyA", { shiftKey: true }), "assign"],
    // The characters of these keys on the Arabic (101) layout.
    ["the key of a on an Arabic keyboard", press("ش", "KeyA"), "take"],
    ["Shift and the key of a on an Arabic keyboard", press("\u0650", "KeyA", { shiftKey: true }), "assign"],
    ["the key of [ on an Arabic keyboard", press("ج", "BracketLeft"), "rail"],
    ["the key of . on an Arabic keyboard", press("ز", "Period"), "news"],
    ["the Arabic question mark", press("؟", "Slash", { shiftKey: true }), "sheet"],
    ["an Arabic digit", press("١", "Digit1"), "first"],
    ["a on a French keyboard, where the key of q writes it", press("a", "KeyQ"), "take"],
    ["q on a French keyboard, where the key of a writes it", press("q", "KeyA"), undefined],
    ["? on a German keyboard", press("?", "Minus", { shiftKey: true }), "sheet"],
    ["[ by AltGr", press("[", "Digit8", { ctrlKey: true, altKey: true, isAltGraph: true }), "rail"],
    ["1 by Shift on a French keyboard", press("1", "Digit1", { shiftKey: true }), "first"],
    ["!", press("!", "Digit1", { shiftKey: true }), "severity"],
    ["the space bar", press(" ", "Space"), "peek"],
    ["Ctrl and a", press("a", "KeyA", { ctrlKey: true }), undefined],
    ["Alt and a", press("a", "KeyA", { altKey: true }), undefined],
    ["an unknown key", press("q", "KeyQ"), undefined],
  ])("matches a key press: %s", (_, pressed, id) => {
    expect(run(pressed)).toBe(id);
  });

  it("treats mod as ⌘ on Apple keyboards and as Ctrl on others, never both", () => {
    expect(run(press("k", "KeyK", { metaKey: true }), true)).toBe("palette");
    expect(run(press("k", "KeyK", { ctrlKey: true }), true)).toBeUndefined();
    expect(run(press("k", "KeyK", { ctrlKey: true }))).toBe("palette");
    expect(run(press("ن", "KeyK", { ctrlKey: true }))).toBe("palette");
    expect(run(press("k", "KeyK", { ctrlKey: true, metaKey: true }))).toBeUndefined();
  });
});

describe("a sequence", () => {
  function type(...presses: KeyPress[]): (string | undefined)[] {
    let pending: PendingKeys | undefined;
    return presses.map((each) => {
      const pressed = pressKey(each, pending, { bindings: BINDINGS, isApple: false });
      pending = pressed.pending;
      return pressed.id;
    });
  }

  it("runs the command of a sequence, not that of its last key", () => {
    expect(type(press("g", "KeyG"), press("a", "KeyA", { timeStamp: 1000 }))).toEqual([undefined, "alerts"]);
  });

  it("ends a sequence after a second", () => {
    expect(type(press("g", "KeyG"), press("a", "KeyA", { timeStamp: 1001 }))).toEqual([undefined, "take"]);
  });

  it("ends a sequence at a key that does not continue it, and handles that key alone", () => {
    expect(type(press("g", "KeyG"), press("1", "Digit1"), press("a", "KeyA"))).toEqual([undefined, "first", "take"]);
  });

  it("restarts a sequence with its first key", () => {
    expect(type(press("g", "KeyG"), press("g", "KeyG"), press("a", "KeyA"))).toEqual([undefined, undefined, "alerts"]);
  });
});

describe("bindings", () => {
  it("lets the first of two equal bindings win", () => {
    const bindings = bindKeys([
      { id: "page", keys: ["x"] },
      { id: "console", keys: ["x"] },
    ]);
    expect(pressKey(press("x", "KeyX"), undefined, { bindings, isApple: false }).id).toBe("page");
  });

  it("reports a conflict when two chords are equal, or one is a prefix of the other", () => {
    const clashes = (...keys: string[]) =>
      findClashes(bindKeys(keys.map((chord, at) => ({ id: `${at}`, keys: [chord] }))));
    expect(clashes("a", "a")).toHaveLength(1);
    expect(clashes("g", "g a")).toHaveLength(1);
    expect(clashes("a", "⇧A", "mod+a", "g a", "g b")).toEqual([]);
  });

  it.each(["", "ab", "mod+", "g  a", "Esc"])("rejects the chord '%s'", (chord) => {
    expect(() => parseChord(chord)).toThrow("invalid chord");
  });

  it.each(["+", "mod++", "⇧j", "shift+Enter", "mod+⇧c"])("accepts the chord '%s'", (chord) => {
    expect(parseChord(chord)).toHaveLength(1);
  });
});

describe("the focus", () => {
  const may = (chord: string, ...path: Parameters<typeof findFocus>[0]) =>
    parseChord(chord).every((stroke) => mayTake(stroke, findFocus(path)));
  const shadowEditor = [{ tagName: "DIV", isContentEditable: true }, { tagName: "DIV" }];

  it.each([
    [{ tagName: "INPUT", type: "text" }],
    [{ tagName: "INPUT", type: "datetime-local" }],
    [{ tagName: "INPUT", type: "" }],
    [{ tagName: "TEXTAREA" }],
    [{ tagName: "SELECT" }],
    [{ tagName: "DIV", isContentEditable: true }],
    [{ tagName: "DIV", role: "textbox" }],
  ])("leaves typing and editing keys to %j, but not Escape and mod chords", (target) => {
    for (const chord of ["a", "?", "1", "Space", "Enter", "⇧A", "mod+a", "mod+c", "mod+z", "mod+⇧z"]) {
      expect(may(chord, target), chord).toBe(false);
    }
    for (const chord of ["Escape", "mod+k", "mod+Enter", "mod+⇧c"]) expect(may(chord, target), chord).toBe(true);
  });

  it("finds the focus inside a shadow root", () => {
    expect(may("a", ...shadowEditor)).toBe(false);
  });

  it.each([
    [{ tagName: "BUTTON" }],
    [{ tagName: "A" }],
    [{ tagName: "INPUT", type: "checkbox" }],
    [{ tagName: "DIV", role: "option" }],
  ])("leaves only Enter, Space and arrows to %j", (target) => {
    for (const chord of ["Enter", "Space", "ArrowDown"]) expect(may(chord, target), chord).toBe(false);
    for (const chord of ["a", "j", "mod+Enter", "Escape"]) expect(may(chord, target), chord).toBe(true);
  });

  it("leaves every key to the commands when the page has the focus", () => {
    expect(may("Enter", { tagName: "BODY" })).toBe(true);
  });
});

it("does not match a named key pressed with Shift", () => {
  const [enter] = parseChord("Enter");
  if (!enter) throw new Error("no stroke");
  expect(matchesStroke(press("Enter", "Enter"), enter, false)).toBe(true);
  expect(matchesStroke(press("Enter", "Enter", { shiftKey: true }), enter, false)).toBe(false);
});
