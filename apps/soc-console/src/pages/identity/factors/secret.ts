/** `JBSW Y3DP EHPK`: groups of four are easier to read and type. */
export function groupSecret(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? "";
}
