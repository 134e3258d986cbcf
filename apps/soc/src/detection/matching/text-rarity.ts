const EVERYDAY = 1;
const SELDOM = 4;
/** Found in the events of every Windows machine, many times a second: they make a text longer and no rarer. */
const EVERYWHERE =
  /c:\\|\\?windows\\|system32\\|\\software\\|microsoft\\|currentversion|\\?(ntdll|kernelbase|kernel32)\.dll|\\?(svchost|lsass|services)\.exe|unknown/gi;

/** A guess at how seldom a text is met: most of what is logged are words, numbers and paths. */
export function rarityOf(text: string): number {
  let rarity = text === "" ? 0 : 1;
  for (const character of text.replaceAll(EVERYWHERE, "")) {
    rarity += /[a-z0-9 \\./:_+|"=,-]/i.test(character) ? EVERYDAY : SELDOM;
  }
  return rarity;
}
