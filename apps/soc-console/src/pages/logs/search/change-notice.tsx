import type { ReactNode } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { searchPhrases } from "./search-phrases.ts";

/** Why a change cannot be made in this mode; undefined when it can be made or previewed. */
export function useRefusal(): string | undefined {
  const words = usePhrases(searchPhrases);
  return useMode() === "dummy" ? words.dummyRefuses : undefined;
}

/** The verb of a change: done, or previewed. */
export function useVerb(verb: { real: string; preview: string }): string {
  return useMode() === "dry_run" ? verb.preview : verb.real;
}

/** What would have happened, with the dashed edge of a preview. */
export function PreviewCard({ children }: { children: ReactNode }) {
  const words = usePhrases(searchPhrases);
  return (
    <div className="search-preview" role="status">
      <strong>{words.previewOnly}</strong>
      {children}
    </div>
  );
}
