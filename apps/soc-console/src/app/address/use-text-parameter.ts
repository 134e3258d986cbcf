import { useEffect, useState } from "react";
import { after } from "../browser/clock.ts";
import { useAddress } from "./use-address.ts";

const TYPING_MS = 250;

/** A text field whose value becomes a parameter of the address when the user pauses typing. */
export function useTextParameter(name: string): [string, (text: string) => void] {
  const { search, change } = useAddress();
  const kept = search[name] ?? "";
  const [text, setText] = useState(kept);
  const [last, setLast] = useState(kept);
  // Back or a link changed the address.
  if (kept !== last) {
    setLast(kept);
    if (kept !== text.trim()) setText(kept);
  }
  useEffect(() => {
    if (text.trim() === kept) return;
    return after(TYPING_MS, () => change({ [name]: text.trim() }));
  }, [text, kept, name, change]);
  return [text, setText];
}
