import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { expect, it } from "vitest";
import { createRuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createTokens } from "../sessions/tokens.ts";
import { createSigningKeysService } from "./signing-keys.service.ts";
import { createShowcaseSigningKeysStore, type SigningKeysStore } from "./signing-keys.store.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOOR = { username: "noor", role: "tier2", token_version: 7 } as const;

function newAuthority({ isAvailable = true, database = createShowcaseSigningKeysStore() } = {}) {
  // Day 20,430 since 1970 starts a period of thirty days.
  const clock = createFakeClock(new Date(20_430 * DAY_MS));
  const state = { isAvailable };
  const runtime = createRuntimeService({ mode: "real", database: { isAvailable: async () => state.isAvailable } });
  const stores: { database: SigningKeysStore; showcase: SigningKeysStore } = { database, showcase: database };
  const ids = createIds(clock);
  const keys = createSigningKeysService({ runtime, stores, clock, ids });
  return { clock, state, database, keys, tokens: createTokens({ clock, ids, keys }) };
}

it("signs with one key for thirty days, then with a new one", async () => {
  const { clock, keys } = newAuthority();
  const { kid } = await keys.current();
  await clock.advance(30 * DAY_MS - 1);
  expect((await keys.current()).kid).toBe(kid);
  await clock.advance(1);
  expect((await keys.current()).kid).not.toBe(kid);
});

it("accepts tokens of an old key until they expire, and none afterwards", async () => {
  const { clock, keys, tokens } = newAuthority();
  const { kid } = await keys.current();
  await clock.advance(30 * DAY_MS - 1000);
  const token = await tokens.issue(NOOR);
  await clock.advance(29 * 60_000);
  await keys.current();
  expect(await tokens.verify(token)).toEqual(NOOR);
  expect((await keys.publicKeys()).keys).toHaveLength(2);
  await clock.advance(60_000 + 6000);
  expect(await keys.findPublic(kid)).toBeUndefined();
  expect((await keys.publicKeys()).keys).toHaveLength(1);
});

it("publishes public keys only", async () => {
  const { keys } = newAuthority();
  const { kid } = await keys.current();
  expect(await keys.publicKeys()).toEqual({
    keys: [{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", kid, x: expect.stringMatching(/^[\w-]{43}$/) }],
  });
});

it("creates one key if several processes need the first one concurrently", async () => {
  const first = newAuthority();
  const others = Array.from({ length: 5 }, () => newAuthority({ database: first.database }));
  const kids = await Promise.all([first, ...others].map(async ({ keys }) => (await keys.current()).kid));
  expect(new Set(kids).size).toBe(1);
});

it("verifies with cached keys while the database is unavailable, and reports other keys as unavailable instead of wrong", async () => {
  const { state, tokens, database } = newAuthority();
  const token = await tokens.issue(NOOR);
  state.isAvailable = false;
  expect(await tokens.verify(token)).toEqual(NOOR);
  const restarted = newAuthority({ isAvailable: false, database });
  await expect(restarted.tokens.verify(token)).rejects.toMatchObject({ kind: "unavailable" });
});

it("trusts a deleted key for at most half a minute", async () => {
  const stored = createShowcaseSigningKeysStore();
  const state = { areDeleted: false };
  const list = async () => (state.areDeleted ? [] : stored.list());
  const { clock, keys, tokens } = newAuthority({ database: { list, rotate: (key) => stored.rotate(key) } });
  const token = await tokens.issue(NOOR);
  state.areDeleted = true;
  expect(await tokens.verify(token)).toEqual(NOOR);
  await clock.advance(30_000);
  expect(await tokens.verify(token)).toBeUndefined();
  expect((await keys.publicKeys()).keys).toEqual([]);
});

it("signs with a new key within half a minute after the keys were deleted", async () => {
  let stored = createShowcaseSigningKeysStore();
  const database: SigningKeysStore = { list: () => stored.list(), rotate: (key) => stored.rotate(key) };
  const { clock, keys, tokens } = newAuthority({ database });
  const { kid } = await keys.current();
  const token = await tokens.issue(NOOR);
  stored = createShowcaseSigningKeysStore();
  await clock.advance(30_000);
  expect((await keys.current()).kid).not.toBe(kid);
  expect(await tokens.verify(token)).toBeUndefined();
  expect(await tokens.verify(await tokens.issue(NOOR))).toEqual(NOOR);
});
