import { useEffect, useState } from "react";
import { after } from "../../../app/browser/clock.ts";

const TYPING_MS = 250;

/** A debounced text; an empty text applies at once. */
export function useDebouncedText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => after(TYPING_MS, () => setSettled(text)), [text]);
  return text === "" ? "" : settled;
}
