import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { searchPhrases } from "./search-phrases.ts";

/** The log stores that are missing in a response. */
export function MissingStores({ names }: { names: readonly string[] }) {
  const words = usePhrases(searchPhrases);
  return <p className="search-partial">{fill(words.storesMissing, { stores: names.join(", ") })}</p>;
}
