import { isIP } from "node:net";
import { invalidField } from "@kit/problem";

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/**
 * Parses the proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas. The default is
 * none.
 */
export function readTrustedProxies(listed: string): string[] {
  const proxies = listed.split(",").map((each) => each.trim());
  return proxies.filter(Boolean).map((each) => {
    if (!isNetwork(each)) throw invalidField("SOC_TRUSTED_PROXIES", `'${each}' is neither an address nor a network`);
    return each;
  });
}

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = BITS[isIP(address)];
  if (bits === undefined || more.length > 0) return false;
  // A network of all addresses would trust every client.
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}
