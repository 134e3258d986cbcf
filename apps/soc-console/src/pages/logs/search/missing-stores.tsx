import { usePhrases } from "../../../app/language/language-context.tsx";
import { fill } from "../../../app/language/phrases.ts";
import { searchPhrases } from "./search-phrases.ts";

/** The log stores whose logs an answer lacks. */
export function MissingStores({ names }: { names: readonly string[] }) {
  const words = usePhrases(searchPhrases);
  return <p className="search-partial">{fill(words.storesMissing, { stores: names.join(", ") })}</p>;
}
