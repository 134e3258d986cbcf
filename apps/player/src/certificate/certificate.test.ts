import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { describe, expect, it } from "vitest";
import { openCertificate } from "./certificate.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost", "127.0.0.1", "::1"];

async function newDevice() {
  const clock = createFakeClock(new Date("2026-06-01T00:00:00Z"));
  const dataFolder = await mkdtemp(join(tmpdir(), "certificate-"));
  const deps = { dataFolder, clock, ids: createIds(clock), names: NAMES };
  const open = async (names = NAMES) => new X509Certificate((await openCertificate({ ...deps, names })).cert);
  const authority = async () =>
    new X509Certificate(JSON.parse(await readFile(join(dataFolder, "tls", "ca.json"), "utf8")).cert);
  return { clock, open, authority };
}

describe("the device's certificate", () => {
  it("is signed by the device's own authority and names where it is reached", async () => {
    const { open, authority } = await newDevice();
    const certificate = await open();
    const ca = await authority();
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.checkIssued(ca)).toBe(true);
    expect(ca.ca).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  });

  it("lasts at most the 398 days that browsers accept", async () => {
    const certificate = await (await newDevice()).open();
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / DAY_MS;
    expect(days).toBeLessThanOrEqual(398);
    expect(days).toBeGreaterThan(365);
  });

  it("is kept over restarts, and renewed under the same authority before it expires", async () => {
    const { clock, open, authority } = await newDevice();
    const first = await open();
    expect((await open()).serialNumber).toBe(first.serialNumber);
    await clock.advance(370 * DAY_MS);
    const renewed = await open();
    expect(renewed.serialNumber).not.toBe(first.serialNumber);
    expect(renewed.verify((await authority()).publicKey)).toBe(true);
  });

  it("is made anew when the device has a new name", async () => {
    const { open } = await newDevice();
    await open();
    expect((await open([...NAMES, "manara.local"])).checkHost("manara.local")).toBe("manara.local");
  });
});
