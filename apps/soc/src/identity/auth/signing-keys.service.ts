import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { type CryptoKey, exportJWK, generateKeyPair, importJWK } from "jose";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { KeyRing } from "../sessions/tokens.ts";
import type { JwksBody } from "./auth.schema.ts";
import { isStillTrusted, periodOf, type SigningKey } from "./signing-key.ts";
import type { SigningKeysStore } from "./signing-keys.store.ts";

export interface SigningKeysServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SigningKeysStore; showcase: SigningKeysStore };
  clock: Pick<Clock, "now" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** How long a process that has read a key may still trust it after it was deleted from the database. */
const FRESH_MS = 30_000;

export interface SigningKeysService extends KeyRing {
  /** The public keys that are trusted now. */
  publicKeys(): Promise<JwksBody>;
}

interface HeldKey {
  period: number;
  kid: string;
  x: string;
  store: SigningKeysStore;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** The database stores the keys for all processes; each process caches the keys that it has read. */
export function createSigningKeysService({ runtime, stores, clock, ids }: SigningKeysServiceDeps): SigningKeysService {
  const held = new Map<string, HeldKey>();
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function refresh(store: SigningKeysStore): Promise<HeldKey[]> {
    readAtMs = clock.monotonicMs();
    const keys = await store.list();
    const listed = new Set(keys.map(({ kid }) => kid));
    for (const { kid, store: from } of held.values()) if (from === store && !listed.has(kid)) held.delete(kid);
    for (const key of keys) if (!held.has(key.kid)) held.set(key.kid, await importKeys(key, store));
    return keys.flatMap(({ kid }) => held.get(kid) ?? []);
  }

  const isDue = () => clock.monotonicMs() - readAtMs >= FRESH_MS;

  /** While the database is unavailable, the cached keys remain trusted. */
  async function refreshIfPossible(): Promise<void> {
    if (!isDue()) return;
    try {
      await refresh(await runtime.choose(stores));
    } catch (error) {
      if (!(error instanceof Problem && error.kind === "unavailable")) throw error;
    }
  }

  function findCached(store: SigningKeysStore, period: number): HeldKey | undefined {
    return [...held.values()].find((key) => key.store === store && key.period === period);
  }

  async function rotate(store: SigningKeysStore, period: number): Promise<HeldKey> {
    await refresh(store);
    if (!findCached(store, period)) {
      await store.rotate({ period, kid: ids.next(), private_jwk: await newPrivateKey() });
      await refresh(store);
    }
    const key = findCached(store, period);
    if (!key) throw new Error("the signing key was deleted while it was created");
    return key;
  }

  return {
    async current() {
      const store = await runtime.choose(stores);
      const period = periodOf(clock.now());
      if (isDue()) await refresh(store);
      return findCached(store, period) ?? rotate(store, period);
    },

    async findPublic(kid) {
      if (held.has(kid)) await refreshIfPossible();
      else await refresh(await runtime.choose(stores));
      const key = held.get(kid);
      return key && isStillTrusted(key, clock.now()) ? key.publicKey : undefined;
    },

    async publicKeys() {
      const keys = await refresh(await runtime.choose(stores));
      const trusted = keys.filter((key) => isStillTrusted(key, clock.now()));
      return { keys: trusted.map(({ kid, x }) => ({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x })) };
    },
  };
}

async function newPrivateKey(): Promise<SigningKey["private_jwk"]> {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  const { crv = "", x = "", d = "" } = await exportJWK(privateKey);
  return { kty: "OKP", crv, x, d };
}

async function importKeys({ period, kid, private_jwk }: SigningKey, store: SigningKeysStore): Promise<HeldKey> {
  const { kty, crv, x } = private_jwk;
  const [privateKey, publicKey] = await Promise.all([
    importJWK(private_jwk, "EdDSA"),
    importJWK({ kty, crv, x }, "EdDSA"),
  ]);
  return { period, kid, x, store, privateKey, publicKey };
}
