import { CONNREFUSED, lookup, NODATA, NOTFOUND, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP, type LookupFunction } from "node:net";
import { onAbort } from "./on-abort.ts";

/** Answers every address of a name. The signal aborts when the answer is no longer needed. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface ResolverDeps {
  /** Name servers with their ports; by default those of the system. */
  servers?: readonly string[];
  hostsFile?: string;
  /** All that the system knows besides DNS: search domains, mDNS, directories. By default getaddrinfo. */
  askSystem?: (name: string) => Promise<readonly string[]>;
}

const QUERY_TIMEOUT_MS = 2000;
const QUERY_TRIES = 2;

// After these errors the system resolver is asked too. They arrive at once, so DNS does not hang.
const NOT_IN_DNS: ReadonlySet<unknown> = new Set([NOTFOUND, NODATA, CONNREFUSED]);

/**
 * Resolves names without occupying the threads of the process. getaddrinfo runs on two of the four threads of libuv and cannot
 * be cancelled: while DNS does not answer, a few names would block every other lookup, such as that of the database.
 * Therefore the hosts file comes first, then DNS with a timeout, and getaddrinfo last, one name at a time.
 */
export function createResolver(deps: ResolverDeps = {}): Resolve {
  const { servers, hostsFile = "/etc/hosts", askSystem = lookUp } = deps;
  const askInTurn = oneAtATime(askSystem);
  return async (name, signal) => {
    const listed = findInHosts(await readFile(hostsFile, "utf8").catch(() => ""), name);
    if (listed.length > 0) return listed;
    const found = isDnsName(name) ? await query(name, servers, signal) : [];
    return found.length > 0 ? found : askInTurn(name, signal);
  };
}

/** For sockets that connect by name. */
export function createLookup(resolve: Resolve, signal: AbortSignal): LookupFunction {
  return (name, { all }, callback) => {
    resolve(name, signal).then(
      (addresses) => {
        const answers = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = answers;
        if (all) callback(null, answers);
        else if (first) callback(null, first.address, first.family);
        else callback(new Error(`no address for ${name}`), "");
      },
      (cause: unknown) => callback(cause instanceof Error ? cause : new Error("not resolved", { cause }), ""),
    );
  };
}

async function lookUp(name: string): Promise<readonly string[]> {
  const answers = await lookup(name, { all: true });
  return answers.map(({ address }) => address);
}

/** A single label depends on search domains, and `.local` on mDNS (RFC 6762): only the system knows them. */
function isDnsName(name: string): boolean {
  const labels = toHostKey(name).split(".");
  return labels.length > 1 && labels.at(-1) !== "local" && labels.at(-1) !== "localhost";
}

async function query(
  name: string,
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // A resolver per name, because cancel() ends all queries of a resolver.
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const ended = new AbortController();
  const answering = Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  onAbort(signal, ended.signal, () => resolver.cancel());
  const answers = await answering.finally(() => ended.abort());
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  for (const answer of addresses.length > 0 ? [] : answers) {
    if (answer.status === "rejected" && !isNotInDns(answer.reason)) throw answer.reason;
  }
  return addresses;
}

function isNotInDns(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && NOT_IN_DNS.has(failure.code);
}

/** A name whose caller gave up while it waited for its turn is not asked for. */
function oneAtATime(ask: (name: string) => Promise<readonly string[]>): Resolve {
  let turn: Promise<unknown> = Promise.resolve();
  return (name, signal) => {
    const answer = turn.then(() => {
      signal.throwIfAborted();
      return ask(name);
    });
    turn = answer.catch(() => undefined);
    return answer;
  };
}

function findInHosts(text: string, name: string): string[] {
  const key = toHostKey(name);
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((listed) => toHostKey(listed) === key) ? [address] : [];
  });
}

function toHostKey(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
