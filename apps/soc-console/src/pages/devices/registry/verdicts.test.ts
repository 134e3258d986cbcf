import { expect, test } from "vitest";
import { compareFirmware, findNewest, groupByHour, readProof, readWhy } from "./verdicts.ts";

const device = {
  status: "active",
  attestation: { verdict: "untrusted", at: "2026-11-17T19:00:00.000Z" },
  certificate: null,
} as const;

test("reports a revocation first, then the reason of the verdict", () => {
  const last = { verdict: "untrusted", reason: "firmware ab is not in the firmware catalog" } as const;
  expect(readWhy(device, last)).toEqual({ kind: "reason", verdict: "untrusted", text: last.reason });
  expect(readWhy({ ...device, status: "revoking" }, last)).toEqual({ kind: "revoking" });
});

test("ignores the reason of an attestation with another verdict", () => {
  expect(readWhy(device, { verdict: "trusted", reason: null })).toEqual({
    kind: "reason",
    verdict: "untrusted",
    text: "",
  });
});

test("reports why a trusted device does not respond", () => {
  const trusted = { ...device, attestation: { verdict: "trusted", at: "2026-11-17T19:00:00.000Z" } } as const;
  const certificate = {
    serial: "1",
    fingerprint: "2",
    not_after: "2026-11-16T00:00:00.000Z",
    status: "expired",
  } as const;
  expect(readWhy({ ...trusted, certificate }, undefined)).toEqual({ kind: "expired" });
  expect(readWhy({ ...trusted, status: "offline" }, undefined)).toEqual({ kind: "offline" });
  expect(readWhy(trusted, undefined)).toEqual({ kind: "fine" });
  expect(readWhy({ ...device, attestation: { verdict: null, at: null } }, undefined)).toEqual({ kind: "never" });
});

test("counts verdicts per hour over 24 hours and ignores older ones", () => {
  const hours = groupByHour(
    [
      { at: "2026-11-17T19:59:59.000Z", verdict: "trusted" },
      { at: "2026-11-17T19:00:00.000Z", verdict: "untrusted" },
      { at: "2026-11-16T20:00:00.000Z", verdict: "stale" },
      { at: "2026-11-16T19:59:59.000Z", verdict: "failed" },
    ],
    new Date("2026-11-17T19:30:00.000Z"),
  );
  expect(hours).toHaveLength(24);
  expect(hours[23]).toEqual({
    at: "2026-11-17T19:00:00.000Z",
    counts: { trusted: 1, untrusted: 1, stale: 0, failed: 0 },
  });
  expect(hours[0]).toEqual({
    at: "2026-11-16T20:00:00.000Z",
    counts: { trusted: 0, untrusted: 0, stale: 1, failed: 0 },
  });
  expect(hours.reduce((sum, { counts }) => sum + counts.failed, 0)).toBe(0);
});

test("keeps the newest attestation of each device", () => {
  const older = {
    id: "1",
    device_id: "d",
    kind: "tpm",
    verdict: "trusted",
    reason: null,
    firmware_hash: null,
    at: "2026-11-17T18:00:00.000Z",
  } as const;
  const newer = { ...older, id: "2", at: "2026-11-17T19:00:00.000Z" };
  expect(findNewest([newer, older]).get("d")).toBe(newer);
  expect(findNewest([older, newer]).get("d")).toBe(newer);
});

test("lists each PCR and component that differs from the trusted firmware", () => {
  const trusted = { pcrs: { "0": "AA", "4": "a1" }, sbom_components: [{ name: "linux", version: "6.12" }] };
  const present = {
    pcrs: { "0": "aa", "4": "9c", "7": "ff" },
    sbom_components: [
      { name: "linux", version: "6.13" },
      { name: "nc", version: "1" },
    ],
  };
  expect(compareFirmware(trusted, present)).toEqual({
    pcrs: [
      { name: "4", expected: "a1", actual: "9c" },
      { name: "7", expected: undefined, actual: "ff" },
    ],
    components: [
      { name: "linux", expected: "6.12", actual: "6.13" },
      { name: "nc", expected: undefined, actual: "1" },
    ],
  });
});

test("counts a confirmation only for the revocation before it", () => {
  const begun = { at: "2026-11-17T19:00:00.000Z", actor: "layla", action: "device.revocation_begun", details: {} };
  const confirmed = {
    at: "2026-11-17T19:00:01.000Z",
    actor: "layla",
    action: "device.revoked",
    details: { verified: true },
  };
  expect(readProof([begun, confirmed])).toEqual({
    begun: { at: begun.at, by: "layla" },
    confirmed: { at: confirmed.at, isVerified: true },
  });
  const again = { ...begun, at: "2026-11-17T20:00:00.000Z" };
  expect(readProof([begun, confirmed, again])).toEqual({
    begun: { at: again.at, by: "layla" },
    confirmed: undefined,
  });
});
