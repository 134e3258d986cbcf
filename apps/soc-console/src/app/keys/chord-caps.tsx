import { Fragment } from "react";
import { KeyCap } from "../../design/key-cap.tsx";
import { usePhrases } from "../language/language-context.tsx";
import type { Command } from "./commands.ts";
import { ariaChord, isAppleKeyboard, keyCaps } from "./key-words.ts";
import { keysPhrases } from "./keys-phrases.ts";
import "./keys.css";

/** The keys of a chord as printed on this keyboard: `G then A`. */
export function ChordCaps({ chord }: { chord: string }) {
  const words = usePhrases(keysPhrases);
  const strokes = keyCaps(chord, isAppleKeyboard(navigator.userAgent));
  return (
    <span className="keys-chord" dir="ltr">
      {strokes.map((caps, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a chord have no identity and no state
        <Fragment key={at}>
          {at > 0 && <span className="keys-then">{words.andThen}</span>}
          {caps.map((cap) => (
            <KeyCap key={cap}>{cap}</KeyCap>
          ))}
        </Fragment>
      ))}
    </span>
  );
}

/**
 * Props of a button or menu item for a command: the keys of its first chord, and the chord for assistive technology.
 */
export function commandKeys(command: Pick<Command, "keys"> | undefined): {
  keys: readonly string[] | undefined;
  "aria-keyshortcuts": string | undefined;
} {
  const [chord] = command?.keys ?? [];
  const isApple = isAppleKeyboard(navigator.userAgent);
  return {
    keys: chord === undefined ? undefined : keyCaps(chord, isApple).flat(),
    "aria-keyshortcuts": chord === undefined ? undefined : ariaChord(chord, isApple),
  };
}
