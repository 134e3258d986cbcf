/** `04AABBCC` as it is read aloud: in pairs. */
export function spacedUid(uid: string): string {
  return uid.replace(/..(?=.)/g, "$& ");
}
