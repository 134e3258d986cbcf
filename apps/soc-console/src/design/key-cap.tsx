import type { ReactNode } from "react";

/** One key of the keyboard, as printed on it. */
export function KeyCap({ children }: { children: ReactNode }) {
  return (
    <kbd className="key-cap" dir="ltr">
      {children}
    </kbd>
  );
}

/** The keys of a command. A screen reader does not read them out: they belong to `aria-keyshortcuts`. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return (
    <span className="key-caps" aria-hidden="true" dir="ltr">
      {keys.map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
    </span>
  );
}
