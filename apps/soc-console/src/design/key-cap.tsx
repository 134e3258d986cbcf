import type { ReactNode } from "react";

/** One key, as printed on the keyboard. */
export function KeyCap({ children }: { children: ReactNode }) {
  return (
    <kbd className="key-cap" dir="ltr">
      {children}
    </kbd>
  );
}

/** The keys of a command. Hidden from screen readers, which read `aria-keyshortcuts` instead. */
export function KeyCaps({ keys }: { keys: readonly string[] }) {
  return (
    <span className="key-caps" aria-hidden="true" dir="ltr">
      {keys.map((key) => (
        <KeyCap key={key}>{key}</KeyCap>
      ))}
    </span>
  );
}
