import "reflect-metadata";
import { KeyObject, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import * as x509 from "@peculiar/x509";
import { describe, expect, it } from "vitest";
import { forgetAuthority, openCertificate } from "./certificate.ts";
import { hasNameConstraints, isPermittedName } from "./name-constraints.ts";

const DAY_MS = 86_400_000;
const NAMES = ["localhost", "127.0.0.1", "::1", "fd12:3456:789a::a1"];

async function newDevice(start = new Date("2026-06-01T00:00:00Z")) {
  const clock = createFakeClock(start);
  const dataFolder = await mkdtemp(join(tmpdir(), "certificate-"));
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const open = async (names = NAMES, { isClockValid = true, hostname = "manara-1" } = {}) => {
    const opened = await openCertificate({
      dataFolder,
      clock,
      isClockValid,
      ids: createIds(clock),
      log,
      hostname,
      names,
    });
    return { server: new X509Certificate(opened.cert), ca: new X509Certificate(opened.authority ?? "") };
  };
  const fileOf = (name: "ca" | "server" | "ca-former") => join(dataFolder, "tls", `${name}.json`);
  return { clock, open, warnings, dataFolder, fileOf };
}

const keyIn = ({ publicKey }: X509Certificate) => publicKey.export({ type: "spki", format: "der" }).toString("hex");

const countDays = ({ validFrom, validTo }: X509Certificate) => (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;

describe("the device's certificate", () => {
  it("the device's certificate is signed by the device's own authority and contains all names and addresses of the device", async () => {
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

  it("the device's certificate is valid for at most the 398 days that browsers accept", async () => {
    const { server } = await (await newDevice()).open();
    expect(countDays(server)).toBeLessThanOrEqual(398);
    expect(countDays(server)).toBeGreaterThan(365);
  });

  it("the device's certificate is stored in files that only the owner can read", async () => {
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
    expect(next.server.verify(first.ca.publicKey)).toBe(true);
    expect(next.server.verify(next.ca.publicKey)).toBe(true);
    expect(countDays(next.server)).toBeGreaterThan(365);
  });

  it("the device's certificate is replaced when the device gets a new name or address, and not when it loses one", async () => {
    const { open } = await newDevice();
    await open();
    const { server } = await open([...NAMES, "manara.local", "192.168.4.7"]);
    expect(server.checkHost("manara.local")).toBe("manara.local");
    expect(server.checkIP("192.168.4.7")).toBe("192.168.4.7");
    expect((await open(["localhost"])).server.serialNumber).toBe(server.serialNumber);
  });
});

describe("a clock", () => {
  it.each([
    ["is years behind at a start, without a clock chip", "2026-02-01T00:00:00Z"],
    ["was typed years ahead", "2039-01-01T00:00:00Z"],
    ["has lost the time", "1970-01-01T00:00:10Z"],
  ])("never replaces the authority's key when it %s", async (_how, wrong) => {
    const { clock, open } = await newDevice(new Date("2027-03-01T00:00:00Z"));
    const first = await open();
    for (const isClockValid of [false, true]) {
      clock.jumpTo(new Date(wrong));
      const during = await open(NAMES, { isClockValid });
      expect(keyIn(during.ca)).toBe(keyIn(first.ca));
      clock.jumpTo(new Date("2027-03-02T00:00:00Z"));
      const after = await open();
      expect(keyIn(after.ca)).toBe(keyIn(first.ca));
      expect(Date.parse(after.ca.validFrom)).toBeLessThan(clock.now().getTime());
      expect(Date.parse(after.server.validFrom)).toBeLessThan(clock.now().getTime());
      expect(Date.parse(after.server.validTo)).toBeGreaterThan(clock.now().getTime());
      // A phone that trusted the first root accepts the certificate: same key, same name.
      expect(after.server.checkIssued(first.ca)).toBe(true);
      expect(after.server.verify(first.ca.publicKey)).toBe(true);
    }
  });

  it("changes nothing while it is not known to be right and only seems to be behind", async () => {
    const { clock, open } = await newDevice(new Date("2027-03-01T00:00:00Z"));
    const first = await open();
    clock.jumpTo(new Date("2026-02-01T00:00:00Z"));
    const during = await open(NAMES, { isClockValid: false });
    expect([during.ca.serialNumber, during.server.serialNumber]).toEqual([
      first.ca.serialNumber,
      first.server.serialNumber,
    ]);
  });

  it("renews the certificate when it becomes valid", async () => {
    const { clock, open } = await newDevice(new Date("2031-01-01T00:00:00Z"));
    const wrong = await open(NAMES, { isClockValid: false });
    clock.jumpTo(new Date("2026-06-01T00:00:00Z"));
    const right = await open();
    expect(Date.parse(right.server.validFrom)).toBeLessThan(Date.UTC(2026, 5, 1));
    expect(right.server.serialNumber).not.toBe(wrong.server.serialNumber);
    expect(keyIn(right.server)).toBe(keyIn(wrong.server));
    clock.jumpTo(new Date("2029-01-01T00:00:00Z"));
    expect((await open()).server.serialNumber).not.toBe(right.server.serialNumber);
  });

  it("gets a certificate that is valid today when it has never been set", async () => {
    const { open } = await newDevice(new Date("1970-01-01T00:00:10Z"));
    const { server } = await open(NAMES, { isClockValid: false });
    expect([server.validFrom, server.validTo]).toEqual(["Dec 31 00:00:00 2025 GMT", "Feb  2 00:00:00 2027 GMT"]);
  });
});

describe("the authority", () => {
  it("the authority may sign for the local network and nothing else", async () => {
    const { ca } = await (await newDevice()).open();
    expect(hasNameConstraints(ca.raw)).toBe(true);
    const may = [
      "localhost",
      "manara.local",
      "manara-1",
      "10.1.2.3",
      "172.31.0.1",
      "192.168.0.1",
      "169.254.1.1",
      "fd00::1",
    ];
    const mayNot = [
      "example.com",
      "local.example.com",
      "manara-2",
      "com",
      "8.8.8.8",
      "172.32.0.1",
      "2001:db8::1",
      "::2",
    ];
    expect(may.filter((name) => !isPermittedName(name, ca.raw))).toEqual([]);
    expect(mayNot.filter((name) => isPermittedName(name, ca.raw))).toEqual([]);
  });

  it.each(["com", "raspberrypi", "xn--mgbc0a9azcg", "player.example.com", "a b"])(
    "the authority may not sign for the host name %j, below which there may be names of the internet",
    async (hostname) => {
      const { ca, server } = await (await newDevice()).open([...NAMES, hostname], { hostname });
      expect(isPermittedName(hostname, ca.raw)).toBe(false);
      expect(server.subjectAltName).not.toContain(hostname);
    },
  );

  it("leaves names out of the certificate that it may not sign", async () => {
    const { server } = await (await newDevice()).open([...NAMES, "2001:db8::7", "203.0.113.7", "manara-1"]);
    expect(server.subjectAltName).not.toMatch(/2001|203/i);
    expect(server.checkHost("manara-1")).toBe("manara-1");
  });

  it("the authority is renewed with its key, and the former pair is kept and used when the new file breaks", async () => {
    const { clock, open, fileOf } = await newDevice();
    const first = await open();
    await clock.advance(3630 * DAY_MS);
    const renewed = await open();
    expect(renewed.ca.serialNumber).not.toBe(first.ca.serialNumber);
    expect(renewed.ca.subject).toBe(first.ca.subject);
    expect(keyIn(renewed.ca)).toBe(keyIn(first.ca));
    const former = JSON.parse(await readFile(fileOf("ca-former"), "utf8"));
    expect(new X509Certificate(former.cert).serialNumber).toBe(first.ca.serialNumber);
    expect((await stat(fileOf("ca-former"))).mode & 0o777).toBe(0o600);
    await writeFile(fileOf("ca"), "{");
    expect(keyIn((await open()).ca)).toBe(keyIn(first.ca));
  });

  it("the authority of an earlier version gets constraints and keeps its key", async () => {
    const { clock, open, fileOf } = await newDevice();
    await open();
    const { ca: old } = await withoutConstraints(fileOf("ca"), clock.now());
    expect(hasNameConstraints(old.raw)).toBe(false);
    const { ca, server } = await open();
    expect(hasNameConstraints(ca.raw)).toBe(true);
    expect(keyIn(ca)).toBe(keyIn(old));
    expect(ca.subject).toBe(old.subject);
    expect(server.verify(old.publicKey)).toBe(true);
    expect((await open()).ca.serialNumber).toBe(ca.serialNumber);
  });

  it("the authority is another one after a factory reset", async () => {
    const { open, dataFolder } = await newDevice();
    const first = await open();
    await forgetAuthority({ dataFolder });
    const second = await open();
    expect(keyIn(second.ca)).not.toBe(keyIn(first.ca));
    expect(keyIn(second.server)).not.toBe(keyIn(first.server));
    expect(second.ca.subject).not.toBe(first.ca.subject);
  });
});

/** Replaces the authority by one that may sign everything, as the first versions created it. */
async function withoutConstraints(path: string, now: Date) {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=Manara Player 01020304",
    notBefore: new Date(now.getTime() - DAY_MS),
    notAfter: new Date(now.getTime() + 3650 * DAY_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  await writeFile(path, JSON.stringify({ key, cert: certificate.toString("pem") }));
  return { ca: new X509Certificate(certificate.toString("pem")) };
}

describe("a broken file", () => {
  it.each(["", "{", "null", "{}", '{"key":"x","cert":"y"}', "\0\0\0\0"])(
    "a broken file is replaced when it contains %j, and the log reports it",
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

  it("a broken file is replaced when its key belongs to another certificate", async () => {
    const { open, fileOf } = await newDevice();
    const first = await open();
    const { key } = JSON.parse(await readFile(fileOf("ca"), "utf8"));
    const { cert } = JSON.parse(await readFile(fileOf("server"), "utf8"));
    await writeFile(fileOf("server"), JSON.stringify({ key, cert }));
    expect((await open()).server.serialNumber).not.toBe(first.server.serialNumber);
  });
});
