import { boundsOf, parseAddress, parseNetwork } from "@kit/query/condition-address";
import type { LogEvent } from "../../ports/log-event.ts";
import { type AddressRange, createAddressRanges, parseIpv4 } from "./address-ranges.ts";
import { type Indicator, normaliseAddress, parseDomain, parseUrl } from "./indicator.ts";
import { type Candidates, eachText, hostIn, ipv6In, plainHostAfter, scan, urlAround } from "./text-scan.ts";

export interface MatchedIoc extends Indicator {
  id: string;
}
export type IocMatcher = ReturnType<typeof createIocMatcher>;
export type MatchedLog = Pick<LogEvent, "host" | "user" | "src_ip" | "dst_ip" | "message" | "attributes">;

const NONE: readonly string[] = [];
const DOT = 0x2e;
const [UPPER_A, UPPER_Z, TO_LOWER] = [0x41, 0x5a, 0x20];
const INITIAL_CAPACITY = 1024;
const BEYOND_ASCII = 128;

/** One step of FNV-1a. */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
const SEED = 0x811c9dc5 | 0;

function lowerAt(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= UPPER_A && code <= UPPER_Z ? code | TO_LOWER : code;
}

/** Hashes from the end to the beginning, so that every suffix of a domain gets its hash on the way. */
function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let place = end - 1; place >= start; place -= 1) hash = mix(hash, lowerAt(text, place));
  return hash;
}

/**
 * Finds known indicators in logs. Reads each text once and looks up candidate parts by their hash, so that unknown
 * values, which are nearly all, need no substring allocation.
 */
export function createIocMatcher() {
  const ids: string[] = [""];
  const values: string[] = [""];
  const domains: boolean[] = [false];
  const places = new Map<string, number>();
  const networks = new Map<string, string>();
  const urlHosts = new Map<string, number>();
  let hashes = new Int32Array(INITIAL_CAPACITY);
  let table = new Int32Array(INITIAL_CAPACITY * 4);
  // One bit per slot: small enough for the CPU cache, and nearly always enough for a negative answer.
  let filter = new Uint8Array(table.length / 8);
  let sixes = 0;
  let ranges = buildRanges(networks);
  let found: string[] = [];

  function hit(id: string): void {
    if (!found.includes(id)) found.push(id);
  }

  function put(place: number): void {
    const mask = table.length - 1;
    let slot = (hashes[place] ?? 0) & mask;
    while (table[slot] !== 0) slot = (slot + 1) & mask;
    table[slot] = place;
    const first = (hashes[place] ?? 0) & mask;
    filter[first >>> 3] = (filter[first >>> 3] ?? 0) | (1 << (first & 7));
  }

  function grow(): void {
    const larger = new Int32Array(hashes.length * 2);
    larger.set(hashes);
    hashes = larger;
    table = new Int32Array(larger.length * 4);
    filter = new Uint8Array(table.length / 8);
    for (let place = 1; place < ids.length; place += 1) put(place);
  }

  function addValue(id: string, { type, value }: Indicator): void {
    if (ids.length === hashes.length) grow();
    const place = ids.length;
    ids.push(id);
    values.push(type === "url" ? value : value.toLowerCase());
    domains.push(type === "domain");
    places.set(id, place);
    hashes[place] = hashOf(value, 0, value.length);
    put(place);
    if (type === "ipv6") sixes += 1;
    if (type === "url") urlHosts.set(hostIn(value), (urlHosts.get(hostIn(value)) ?? 0) + 1);
  }

  function mayHave(hash: number): boolean {
    const slot = hash & (table.length - 1);
    return ((filter[slot >>> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  /** Looks up a hash and compares the text. A suffix of a name matches only a domain. */
  function look(hash: number, text: string, start: number, end: number, isSuffix: boolean): void {
    if (!mayHave(hash)) return;
    const mask = table.length - 1;
    for (let slot = hash & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const place = table[slot] ?? 0;
      const isMeant = hashes[place] === hash && (!isSuffix || domains[place] === true);
      if (isMeant && values[place] === text.slice(start, end).toLowerCase()) hit(ids[place] ?? "");
    }
  }

  function lookWhole(text: string, start: number, end: number): void {
    look(hashOf(text, start, end), text, start, end, false);
  }

  function lookAddress(address: string): void {
    const isSix = address.includes(":");
    const spelled = isSix && sixes > 0 ? normaliseAddress(address)?.value : address;
    if (spelled !== undefined) lookWhole(spelled, 0, spelled.length);
  }

  function lookUrl(url: string): void {
    if (!urlHosts.has(hostIn(url))) return;
    const value = parseUrl(url);
    if (value === undefined) return;
    const hash = hashOf(value, 0, value.length);
    const mask = table.length - 1;
    for (let slot = hash & mask; table[slot] !== 0; slot = (slot + 1) & mask) {
      const place = table[slot] ?? 0;
      // Unlike other indicators, a URL is case-sensitive.
      if (values[place] === value) hit(ids[place] ?? "");
    }
  }

  /** A name in another script, converted to its ASCII domain. */
  function lookForeign(name: string): void {
    const domain = parseDomain(name);
    if (domain !== undefined) candidates.name(domain, 0, domain.length);
  }

  const candidates: Candidates = {
    name(text, start, end) {
      let hash = SEED;
      let highest = 0;
      for (let place = end - 1; place >= start; place -= 1) {
        const code = lowerAt(text, place);
        if (code === DOT) look(hash, text, place + 1, end, true);
        if (code > highest) highest = code;
        hash = mix(hash, code);
      }
      look(hash, text, start, end, false);
      if (highest >= BEYOND_ASCII) lookForeign(text.slice(start, end));
    },
    dotted: lookWhole,
    hash: lookWhole,
    email: lookWhole,
    scheme(text, colon) {
      if (urlHosts.size === 0) return;
      const host = plainHostAfter(text, colon);
      if (host !== undefined && !urlHosts.has(host)) return;
      const url = urlAround(text, colon);
      if (url !== undefined) lookUrl(url);
    },
    colons(text) {
      if (sixes > 0) for (const address of ipv6In(text)) lookAddress(address);
    },
  };
  const visit = (text: string) => scan(text, candidates);

  function lookField(address: string): void {
    if (address === "") return;
    lookAddress(address);
    ranges.find(address, hit);
  }

  return {
    size: () => places.size + networks.size,

    /** Keeps indicators that are already present. */
    add(iocs: readonly MatchedIoc[]): void {
      const before = networks.size;
      for (const { id, type, value } of iocs) {
        if (places.has(id) || networks.has(id)) continue;
        if (type === "cidr") networks.set(id, value);
        else addValue(id, { type, value });
      }
      if (networks.size !== before) ranges = buildRanges(networks);
    },

    /** The ids of all indicators in the log. */
    match(log: MatchedLog): readonly string[] {
      if (ids.length === 1 && networks.size === 0) return NONE;
      if (found.length > 0) found = [];
      lookField(log.src_ip);
      lookField(log.dst_ip);
      eachText(log, visit);
      return found.length === 0 ? NONE : found;
    },
  };
}

function buildRanges(networks: ReadonlyMap<string, string>) {
  const fours: AddressRange<number>[] = [];
  const sixes: AddressRange<bigint>[] = [];
  for (const [id, value] of networks) {
    const network = parseNetwork(value);
    const [first, last] = (network && boundsOf(network)) ?? [];
    if (first === undefined || last === undefined) continue;
    if (value.includes(":")) sixes.push({ id, first, last });
    else fours.push({ id, first: Number(first & 0xffff_ffffn), last: Number(last & 0xffff_ffffn) });
  }
  const four = createAddressRanges(fours);
  const six = createAddressRanges(sixes);
  return {
    find(address: string, found: (id: string) => void): void {
      if (!address.includes(":")) {
        const value = four.size > 0 ? parseIpv4(address) : undefined;
        if (value !== undefined) four.find(value, found);
        return;
      }
      const value = six.size > 0 ? parseAddress(address) : undefined;
      if (value !== undefined) six.find(value, found);
    },
  };
}

/** Every value in a log that could be an indicator, in canonical spelling. */
export function valuesIn(log: MatchedLog): { values: string[]; addresses: string[] } {
  const values = new Set<string>();
  const addresses = [log.src_ip, log.dst_ip].flatMap((address) => normaliseAddress(address)?.value ?? []);
  const whole = (text: string, start: number, end: number) => values.add(text.slice(start, end).toLowerCase());
  const candidates: Candidates = {
    name(text, start, end) {
      const written = text.slice(start, end).toLowerCase();
      addSuffixes(written, values);
      if (Buffer.byteLength(written) !== written.length) addSuffixes(parseDomain(written) ?? "", values);
    },
    dotted: whole,
    hash: whole,
    email: whole,
    scheme(text, colon) {
      const url = parseUrl(urlAround(text, colon) ?? "");
      if (url !== undefined) values.add(url);
    },
    colons(text) {
      for (const address of ipv6In(text)) values.add(normaliseAddress(address)?.value ?? "");
    },
  };
  eachText(log, (text) => scan(text, candidates));
  values.delete("");
  return { values: [...values, ...addresses], addresses };
}

/** A name and all of its parent domains. */
function addSuffixes(name: string, values: Set<string>): void {
  values.add(name);
  const labels = name.split(".");
  // The last label of a domain is never a number.
  if (/^\d+$/.test(labels.at(-1) ?? "")) return;
  for (let first = 1; first < labels.length - 1; first += 1) values.add(labels.slice(first).join("."));
}
