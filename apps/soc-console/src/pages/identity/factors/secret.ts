/** `JBSW Y3DP EHPK`: groups of four are read and typed without losing the place. */
export function groupSecret(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? "";
}
