const MENTION = /(?<![\p{L}\p{N}_@.-])@([\p{L}\p{N}](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}])?)/gu;
const MAX_MENTIONS = 50;

/** Lists the names after an @ without duplicates. The users may not exist. */
export function listMentions(text: string): string[] {
  const names = [...text.matchAll(MENTION)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].slice(0, MAX_MENTIONS);
}
