import { expect, it } from "vitest";
import { acquire, claimGroup, LEASE_MS, type PartitionState, release, renew, settle } from "./partition-rules.ts";

const NOW = 1_000_000;
const free: PartitionState = {
  epoch: 3,
  owner: undefined,
  leaseUntilMs: 0,
  watermarkMs: NOW - 100,
  handled: "7",
  groups: 2,
  claim: undefined,
};
const holder = { worker: "a", epoch: 4 };
const owned = acquire(free, "a", NOW) ?? free;
const claimed = claimGroup(owned, holder, { to: "9", floorMs: 0 }, NOW + 10) ?? owned;

it("gives a new owner a new epoch, and the partition to one owner at a time", () => {
  expect(owned).toEqual({ ...free, owner: "a", epoch: 4, leaseUntilMs: NOW + LEASE_MS });
  expect(acquire(owned, "b", NOW + LEASE_MS - 1)).toBeUndefined();
  expect(acquire(owned, "b", NOW + LEASE_MS)).toMatchObject({ owner: "b", epoch: 5 });
});

it("advances the watermark with the clock while no group is claimed, and holds it below a claimed group", () => {
  expect(renew(owned, holder, NOW + 50)).toMatchObject({ watermarkMs: NOW + 50, leaseUntilMs: NOW + 50 + LEASE_MS });
  expect(claimed).toMatchObject({ watermarkMs: NOW + 10, claim: { to: "9", stampMs: NOW + 10 } });
  expect(renew(claimed, holder, NOW + 50)?.watermarkMs).toBe(NOW + 10);
  expect(settle(claimed, holder, NOW + 60)).toEqual({
    ...owned,
    handled: "9",
    groups: 3,
    claim: undefined,
    watermarkMs: NOW + 11,
  });
});

it("stamps above the floor, and above earlier stamps if the clock goes back", () => {
  const late = claimGroup({ ...owned, watermarkMs: NOW + 500 }, holder, { to: "9", floorMs: 0 }, NOW);
  expect(late?.claim.stampMs).toBe(NOW + 500);
  expect(claimGroup(owned, holder, { to: "9", floorMs: NOW + 900 }, NOW)?.claim.stampMs).toBe(NOW + 900);
});

it("keeps a claim for the next owner, which cannot claim another group first", () => {
  const next = acquire(claimed, "b", NOW + 2 * LEASE_MS) ?? claimed;
  const other = { worker: "b", epoch: 5 };
  expect(claimGroup(next, other, { to: "9", floorMs: 0 }, NOW + 2 * LEASE_MS)?.claim).toEqual(claimed.claim);
  expect(claimGroup(next, other, { to: "10", floorMs: 0 }, NOW + 2 * LEASE_MS)).toBeUndefined();
});

it("refuses every action of an owner whose lease has ended, whether or not it was taken over", () => {
  const taken = acquire(claimed, "b", NOW + LEASE_MS) ?? claimed;
  for (const [state, atMs] of [
    [claimed, NOW + LEASE_MS],
    [taken, NOW + LEASE_MS + 1],
  ] as const) {
    expect(renew(state, holder, atMs)).toBeUndefined();
    expect(claimGroup(state, holder, { to: "9", floorMs: 0 }, atMs)).toBeUndefined();
    expect(settle(state, holder, atMs)).toBeUndefined();
  }
  expect(release(taken, holder, NOW + LEASE_MS + 1)).toBe(taken);
  expect(acquire(release(owned, holder, NOW + 1), "b", NOW + 1)).toMatchObject({ owner: "b" });
});
