import { isIP } from "node:net";
import { Problem } from "@kit/problem";
import { withoutBrackets } from "./address.ts";
import { onAbort } from "./on-abort.ts";
import type { Resolve } from "./resolver.ts";
import { admitAddress, type Terms } from "./target.ts";

interface Resolution extends Terms {
  deadline: AbortSignal;
  signal: AbortSignal | undefined;
}

/** Every address of the host, all of them admitted: one bad address among good ones refuses the name. */
export async function resolveAdmittedAddresses(url: URL, resolve: Resolve, resolution: Resolution): Promise<string[]> {
  const host = withoutBrackets(url.hostname);
  const addresses = isIP(host) === 0 ? await resolveInTime(host, resolve, resolution) : [host];
  if (addresses.length === 0) throw unresolved(resolution.field);
  for (const address of addresses) admitAddress(address, resolution);
  return [...addresses];
}

function resolveInTime(name: string, resolve: Resolve, { field, deadline, signal }: Resolution) {
  const settled = new AbortController();
  const answer = new Promise<readonly string[]>((fulfil, reject) => {
    onAbort(signal, settled.signal, reject);
    onAbort(deadline, settled.signal, (cause) => reject(unresolved(field, cause)));
    resolve(name, settled.signal).then(fulfil, (cause: unknown) => reject(unresolved(field, cause)));
  });
  return answer.finally(() => settled.abort());
}

function unresolved(field: string, cause?: unknown): Problem {
  return new Problem("unavailable", `${field}: the host name was not found`, { field, cause });
}
