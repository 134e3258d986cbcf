import { describe, expect, it } from "vitest";
import { ariaChord, chordWords, isAppleKeyboard, keyCaps } from "./key-words.ts";

describe("the caps of a chord", () => {
  it.each([
    ["mod+k", [["⌘", "K"]], [["Ctrl", "K"]]],
    ["g a", [["G"], ["A"]], [["G"], ["A"]]],
    ["⇧A", [["⇧", "A"]], [["⇧", "A"]]],
    ["mod+Enter", [["⌘", "↵"]], [["Ctrl", "↵"]]],
    ["?", [["?"]], [["?"]]],
    ["Escape", [["Esc"]], [["Esc"]]],
  ])("shows the caps of %s", (chord, apple, other) => {
    expect(keyCaps(chord, true)).toEqual(apple);
    expect(keyCaps(chord, false)).toEqual(other);
  });

  it("shows the caps as one text in a tooltip", () => {
    expect(chordWords("mod+⇧c", true)).toBe("⌘⇧C");
    expect(chordWords("mod+k", false)).toBe("Ctrl+K");
    expect(chordWords("g a", false)).toBe("G A");
  });

  // https://www.w3.org/TR/wai-aria-1.2/#aria-keyshortcuts
  it("names the caps for a screen reader", () => {
    expect(ariaChord("mod+k", false)).toBe("Control+K");
    expect(ariaChord("⇧A", true)).toBe("Shift+A");
    expect(ariaChord("g a", true)).toBeUndefined();
  });
});

it.each([
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", true],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", false],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", false],
])("the keyboard of %s is Apple's: %s", (userAgent, isApple) => {
  expect(isAppleKeyboard(userAgent)).toBe(isApple);
});
