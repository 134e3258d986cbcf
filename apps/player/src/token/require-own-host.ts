import { isIP } from "node:net";
import { withoutBrackets } from "@kit/guard/address";
import type { Frame } from "@kit/http/frame";
import { invalidField } from "@kit/problem";

/** Names that no person can register on the internet: RFC 6762, RFC 8375, and the top-level domain for private use. */
const PRIVATE_ENDINGS: readonly string[] = [".local", ".home.arpa", ".internal"];

/**
 * Without TLS no certificate proves the name of the device, and a page on the internet could resolve its own name to
 * this address and read everything public in the home (DNS rebinding). So the name must be one that only this network
 * can have, or be configured.
 */
export function requireOwnHost(app: Frame, names: readonly string[]): void {
  app.addHook("onRequest", async ({ headers }) => {
    if (isOwnHost(headers.host ?? "", names)) return;
    throw invalidField("host", "must be an address, a local name, or a name in PLAYER_NAMES");
  });
}

export function isOwnHost(host: string, names: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, "");
  if (name === "") return false;
  if (isIP(withoutBrackets(name)) !== 0 || !name.includes(".")) return true;
  return names.includes(name) || PRIVATE_ENDINGS.some((ending) => name.endsWith(ending));
}
