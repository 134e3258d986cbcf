const COMMON = 1;
const RARE = 4;
/** Occurs in the events of every Windows machine, many times per second: it makes a text longer but not rarer. */
const UBIQUITOUS =
  /c:\\|\\?windows\\|system32\\|\\software\\|microsoft\\|currentversion|\\?(ntdll|kernelbase|kernel32)\.dll|\\?(svchost|lsass|services)\.exe|unknown/gi;

/** Estimates how rare a text is: most log text consists of words, numbers and paths. */
export function rarityOf(text: string): number {
  let rarity = text === "" ? 0 : 1;
  for (const character of text.replaceAll(UBIQUITOUS, "")) {
    rarity += /[a-z0-9 \\./:_+|"=,-]/i.test(character) ? COMMON : RARE;
  }
  return rarity;
}
