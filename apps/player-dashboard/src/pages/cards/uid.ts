/** Formats `04AABBCC` in pairs. */
export function spacedUid(uid: string): string {
  return uid.replace(/..(?=.)/g, "$& ");
}
