import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import { openCertificate } from "./certificate.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost", "127.0.0.1", "::1", "fd12:3456:789a::a1", "2001:db8::1:0:0:1"];

async function newDevice(start = new Date("2026-06-01T00:00:00Z")) {
  const clock = createFakeClock(start);
  const dataFolder = await mkdtemp(join(tmpdir(), "certificate-"));
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const open = async (names = NAMES) => {
    const opened = await openCertificate({ dataFolder, clock, ids: createIds(clock), log, names: () => names });
    return { server: new X509Certificate(opened.cert), ca: new X509Certificate(opened.authority ?? "") };
  };
  return { clock, open, warnings, fileOf: (name: "ca" | "server") => join(dataFolder, "tls", `${name}.json`) };
}

const countDays = ({ validFrom, validTo }: X509Certificate) => (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;

describe("the device's certificate", () => {
  it("is signed by the device's own authority and contains all names and addresses of the device", async () => {
    const { server, ca } = await (await newDevice()).open();
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect(ca.ca).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.checkHost("localhost")).toBe("localhost");
    expect(server.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(server.checkIP("fd12:3456:789a:0:0:0:0:a1")).toBeDefined();
    expect(server.publicKey.asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  });

  it("is valid for at most the 398 days that browsers accept", async () => {
    const { server } = await (await newDevice()).open();
    expect(countDays(server)).toBeLessThanOrEqual(398);
    expect(countDays(server)).toBeGreaterThan(365);
  });

  it("is stored in files that only the owner can read", async () => {
    const { open, fileOf } = await newDevice();
    await open();
    for (const name of ["ca", "server"] as const) expect((await stat(fileOf(name))).mode & 0o777).toBe(0o600);
  });

  it("stays the same after restarts, and is renewed by the same authority 30 days before it expires", async () => {
    const { clock, open } = await newDevice();
    const first = await open();
    await clock.advance(366 * DAY_MS);
    expect((await open()).server.serialNumber).toBe(first.server.serialNumber);
    await clock.advance(2 * DAY_MS);
    const renewed = await open();
    expect(renewed.server.serialNumber).not.toBe(first.server.serialNumber);
    expect(renewed.ca.serialNumber).toBe(first.ca.serialNumber);
    expect(renewed.server.verify(first.ca.publicKey)).toBe(true);
  });

  it("never outlives its authority, which is renewed 30 days before its own expiry", async () => {
    const { clock, open } = await newDevice();
    const first = await open();
    await clock.advance(3500 * DAY_MS);
    const last = await open();
    expect(last.ca.serialNumber).toBe(first.ca.serialNumber);
    expect(last.server.validTo).toBe(first.ca.validTo);
    await clock.advance(121 * DAY_MS);
    const next = await open();
    expect(next.ca.serialNumber).not.toBe(first.ca.serialNumber);
    expect(next.server.verify(next.ca.publicKey)).toBe(true);
    expect(countDays(next.server)).toBeGreaterThan(365);
  });

  it("is replaced when the device gets a new name or address, and not when it loses one", async () => {
    const { open } = await newDevice();
    await open();
    const { server } = await open([...NAMES, "manara.local", "192.168.4.7"]);
    expect(server.checkHost("manara.local")).toBe("manara.local");
    expect(server.checkIP("192.168.4.7")).toBe("192.168.4.7");
    expect((await open(["localhost"])).server.serialNumber).toBe(server.serialNumber);
  });
});

describe("a clock", () => {
  it("renews the certificates when it is set forward or back", async () => {
    const { clock, open } = await newDevice(new Date("2031-01-01T00:00:00Z"));
    const wrong = await open();
    clock.jumpTo(new Date("2026-06-01T00:00:00Z"));
    const right = await open();
    expect(right.ca.serialNumber).not.toBe(wrong.ca.serialNumber);
    expect(Date.parse(right.server.validFrom)).toBeLessThan(Date.UTC(2026, 5, 1));
    clock.jumpTo(new Date("2029-01-01T00:00:00Z"));
    const later = await open();
    expect(later.server.serialNumber).not.toBe(right.server.serialNumber);
    expect(later.ca.serialNumber).toBe(right.ca.serialNumber);
  });

  it("gets a certificate that is valid today when it has never been set", async () => {
    const { open } = await newDevice(new Date("1970-01-01T00:00:10Z"));
    const { server } = await open();
    expect([server.validFrom, server.validTo]).toEqual(["Dec 31 00:00:00 2025 GMT", "Feb  2 00:00:00 2027 GMT"]);
  });

  it("keeps the certificates when it has lost the time", async () => {
    const { clock, open } = await newDevice();
    const first = await open();
    clock.jumpTo(new Date("1970-01-01T00:00:10Z"));
    expect((await open()).server.serialNumber).toBe(first.server.serialNumber);
  });
});

describe("a broken file", () => {
  it.each(["", "{", "null", "{}", '{"key":"x","cert":"y"}', "\0\0\0\0"])(
    "is replaced when it contains %j, and the log reports it",
    async (content) => {
      const { open, fileOf, warnings } = await newDevice();
      const first = await open();
      await writeFile(fileOf("server"), content);
      const second = await open();
      expect(second.server.serialNumber).not.toBe(first.server.serialNumber);
      expect(second.ca.serialNumber).toBe(first.ca.serialNumber);
      expect(warnings).toEqual([{ path: fileOf("server"), err: expect.any(Error) }]);
      await writeFile(fileOf("ca"), content);
      const third = await open();
      expect(third.ca.serialNumber).not.toBe(first.ca.serialNumber);
      expect(third.server.verify(third.ca.publicKey)).toBe(true);
    },
  );

  it("is replaced when its key belongs to another certificate", async () => {
    const { open, fileOf } = await newDevice();
    const first = await open();
    const { key } = JSON.parse(await readFile(fileOf("ca"), "utf8"));
    const { cert } = JSON.parse(await readFile(fileOf("server"), "utf8"));
    await writeFile(fileOf("server"), JSON.stringify({ key, cert }));
    expect((await open()).server.serialNumber).not.toBe(first.server.serialNumber);
  });
});
