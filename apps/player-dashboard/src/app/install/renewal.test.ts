import { expect, it } from "vitest";
import { createRenewal } from "./renewal.ts";

function open(build: string, kept = new Map<string, string>()) {
  let reloads = 0;
  const renew = createRenewal({
    build,
    storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    reload: () => {
      reloads += 1;
    },
  });
  return { kept, renew, countReloads: () => reloads };
}

it("keeps a page of the version that the device runs", () => {
  const { renew, countReloads } = open("1.0.0");
  renew("1.0.0");
  expect(countReloads()).toBe(0);
});

it("reloads a page of another version once, also when the reloaded page is of the same build", () => {
  const first = open("1.0.0");
  first.renew("2.0.0");
  expect(first.countReloads()).toBe(1);
  const second = open("1.0.0", first.kept);
  second.renew("2.0.0");
  second.renew("2.0.0");
  expect(second.countReloads()).toBe(0);
});

it("reloads again when the device returns to the former version", () => {
  const first = open("1.0.0");
  first.renew("2.0.0");
  const renewed = open("2.0.0", first.kept);
  renewed.renew("2.0.0");
  renewed.renew("1.0.0");
  expect(renewed.countReloads()).toBe(1);
});

it("does not reload without storage, because that could repeat forever", () => {
  const reloads: string[] = [];
  createRenewal({ build: "1.0.0", storage: undefined, reload: () => reloads.push("again") })("2.0.0");
  expect(reloads).toEqual([]);
});
