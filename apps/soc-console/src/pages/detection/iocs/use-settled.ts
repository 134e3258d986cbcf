import { useEffect, useState } from "react";
import { after } from "../../../app/browser/clock.ts";

const TYPING_MS = 250;

/** A text as it was when the typing paused; an empty one at once. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => after(TYPING_MS, () => setSettled(text)), [text]);
  return text === "" ? "" : settled;
}
