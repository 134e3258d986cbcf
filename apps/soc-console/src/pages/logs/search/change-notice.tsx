import type { ReactNode } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { searchPhrases } from "./search-phrases.ts";

/** Why a change is not possible in this mode; undefined if it can be made or previewed. */
export function useRefusal(): string | undefined {
  const words = usePhrases(searchPhrases);
  return useMode() === "dummy" ? words.dummyRefuses : undefined;
}

/** The label of a change: applied, or previewed. */
export function useVerb(verb: { real: string; preview: string }): string {
  return useMode() === "dry_run" ? verb.preview : verb.real;
}

/** The preview of a change, with a dashed border. */
export function PreviewCard({ children }: { children: ReactNode }) {
  const words = usePhrases(searchPhrases);
  return (
    <div className="search-preview" role="status">
      <strong>{words.previewOnly}</strong>
      {children}
    </div>
  );
}
