const EVERYDAY = 1;
const SELDOM = 4;

/** A guess at how seldom a text is met: most of what is logged are words, numbers and paths. */
export function rarityOf(text: string): number {
  let rarity = 0;
  for (const character of text) rarity += /[a-z0-9 \\./:_+|"=,-]/i.test(character) ? EVERYDAY : SELDOM;
  return rarity;
}
