import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Focuses the heading that replaces the pressed button, so that keyboard users continue there. */
export function useEntryFocus<Target extends HTMLElement>(): RefObject<Target | null> {
  const target = useRef<Target>(null);
  useEffect(() => target.current?.focus({ preventScroll: true }), []);
  return target;
}
