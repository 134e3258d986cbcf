/** Other formats of an API key in the Authorization header, for senders that do not support X-API-Key. */
export type KeyScheme = "splunk" | "apikey" | "basic" | "bearer";

const HEADER = /^([a-z]+) +([^ ]+)$/i;
const KEY = /^soc_/;

/** Returns the key in a header of one of these schemes; undefined if there is none. */
export function keyIn(authorization: string, schemes: readonly KeyScheme[]): string | undefined {
  const [, name = "", value = ""] = HEADER.exec(authorization) ?? [];
  const scheme = schemes.find((each) => each === name.toLowerCase());
  if (!scheme) return undefined;
  // On other routes a bearer is the token of a user, which never looks like a key.
  if (scheme === "bearer") return KEY.test(value) ? value : undefined;
  // Splunk's collector sends its token unencoded; Elastic's clients send `id:key` or `user:password` in base64.
  if (scheme === "splunk" || (scheme === "apikey" && KEY.test(value))) return value;
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.slice(pair.indexOf(":") + 1) || undefined;
}
