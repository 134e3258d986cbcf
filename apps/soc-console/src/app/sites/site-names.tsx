import { usePhrases } from "../language/language-context.tsx";
import { SafeText } from "../text/safe-text-view.tsx";
import { sitesFieldPhrases } from "./sites-phrases.ts";

/** The sites that a user or a key is restricted to. */
export function SiteNames({ sites }: { sites: readonly { name: string }[] | undefined }) {
  const words = usePhrases(sitesFieldPhrases);
  if (!sites) return <span className="soft">{words.all}</span>;
  return <SafeText>{sites.map(({ name }) => name).join(", ")}</SafeText>;
}
