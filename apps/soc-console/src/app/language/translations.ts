import type { Language } from "./language.ts";
import type { PluralForms } from "./numbers.ts";

/** The phrases of a part of the console, in each language. */
export type Translations<P> = Readonly<Record<Language, P>>;

/** A text in English and in Arabic. */
export type Phrase = readonly [english: string, arabic: string];
/** A counted text. Which plural forms exist depends on the language. */
type Plural = readonly [english: PluralForms & { one: string }, arabic: PluralForms];
/** Lists, which may differ in length. */
type PhraseList = readonly [english: readonly string[], arabic: readonly string[]];

interface PhraseTree {
  readonly [name: string]: Phrase | Plural | PhraseList | PhraseTree;
}

type InOneLanguage<Tree> = Tree extends Phrase
  ? string
  : Tree extends PhraseList
    ? readonly string[]
    : Tree extends Plural
      ? PluralForms
      : { readonly [Name in keyof Tree]: InOneLanguage<Tree[Name]> };

/** Splits phrases, which are written with both languages side by side, into one tree per language. */
export function translations<const Tree extends PhraseTree>(tree: Tree): Translations<InOneLanguage<Tree>>;
export function translations(tree: PhraseTree): Translations<unknown> {
  return { en: pick(tree, 0), ar: pick(tree, 1) };
}

function pick(tree: PhraseTree, place: 0 | 1): unknown {
  return Object.fromEntries(
    Object.entries(tree).map(([name, part]): [string, unknown] => [
      name,
      isTree(part) ? pick(part, place) : part[place],
    ]),
  );
}

function isTree(part: PhraseTree[string]): part is PhraseTree {
  return !Array.isArray(part);
}
