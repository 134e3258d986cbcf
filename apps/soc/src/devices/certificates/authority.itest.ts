import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Authority, openAuthority } from "./authority.ts";
import { parseCertificateRequest } from "./certificate-request.ts";
import { findListAlarm } from "./list-alarm.ts";

/** The openssl of Debian. */
const PROGRAM = "openssl";
const NOW = new Date("2026-11-16T12:00:00Z");
const DEVICE = "01920000-0000-7000-8000-000000000001";

let folder: string;
let authority: Authority;
const clock = createFakeClock(NOW);

const open = () => openAuthority({ path: join(folder, "devices-ca.pem"), clock, ids: createIds(clock) });
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const openssl = (...args: string[]) => execFileSync(PROGRAM, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
/** Creates a request with OpenSSL for a key of the given kind. */
function request(curve: string, ...options: string[]): string {
  openssl("ecparam", "-name", curve, "-genkey", "-noout", "-out", "key.pem");
  return openssl("req", "-new", "-key", "key.pem", "-subj", "/CN=admin/O=evil", ...options);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "authority-"));
  authority = await open();
  write("ca.crt", authority.certificate);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("device certificate authority", () => {
  it("is one file that only its owner can read, and stays the same after a restart", async () => {
    expect(statSync(join(folder, "devices-ca.pem")).mode & 0o777).toBe(0o600);
    expect((await open()).fingerprint).toBe(authority.fingerprint);
  });

  it("issues a certificate for 24 hours that names only the device and nothing of the request", async () => {
    const csr = request("prime256v1", "-addext", "basicConstraints=CA:TRUE", "-addext", "subjectAltName=DNS:soc");
    const { publicKey } = await parseCertificateRequest(csr);
    const issued = await authority.issueForDevice(DEVICE, publicKey);
    const path = write("device.crt", issued.pem);
    const at = String(NOW.getTime() / 1000);
    expect(openssl("verify", "-x509_strict", "-attime", at, "-CAfile", "ca.crt", path)).toBe(`${path}: OK\n`);
    const text = openssl("x509", "-in", path, "-noout", "-text");
    expect(text).toContain(`Subject: CN = ${DEVICE}\n`);
    expect(text).toContain("CA:FALSE");
    expect(text).toContain("Not After : Nov 17 12:00:00 2026 GMT");
    expect(text).toContain("TLS Web Client Authentication\n");
    expect(text).not.toMatch(/evil|admin|DNS:/);
    const [, serial] = /serial=(\w+)/.exec(openssl("x509", "-in", path, "-noout", "-serial")) ?? [];
    expect(serial?.toLowerCase()).toBe(issued.serial);
    const digest = openssl("x509", "-in", path, "-noout", "-fingerprint", "-sha256");
    expect(digest.trim().split("=")[1]?.replaceAll(":", "").toLowerCase()).toBe(issued.fingerprint);
  });

  it("signs lists of any length that OpenSSL verifies and applies", async () => {
    const { publicKey } = await parseCertificateRequest(request("prime256v1"));
    const [revoked, valid] = [
      await authority.issueForDevice(DEVICE, publicKey),
      await authority.issueForDevice(DEVICE, publicKey),
    ];
    const [revokedPath, validPath] = [write("revoked.crt", revoked.pem), write("valid.crt", valid.pem)];
    const ids = createIds(clock);
    const others = Array.from({ length: 10_000 }, () => ({ serial: ids.secret(16).toString("hex"), revoked_at: NOW }));
    const { pem, nextUpdate } = authority.signList(258, [...others, { serial: revoked.serial, revoked_at: NOW }]);
    expect(nextUpdate).toEqual(new Date("2026-11-23T12:00:00Z"));
    const list = write("crl.pem", pem);
    expect(
      spawnSync(PROGRAM, ["crl", "-in", list, "-noout", "-verify", "-CAfile", join(folder, "ca.crt")]).status,
    ).toBe(0);
    expect(openssl("crl", "-in", list, "-noout", "-crlnumber", "-nextupdate")).toBe(
      "crlNumber=0x0102\nnextUpdate=Nov 23 12:00:00 2026 GMT\n",
    );
    const check = [
      "verify",
      "-crl_check",
      "-attime",
      String(NOW.getTime() / 1000 + 60),
      "-CAfile",
      "ca.crt",
      "-CRLfile",
      list,
    ];
    expect(openssl(...check, validPath)).toBe(`${validPath}: OK\n`);
    expect(() => openssl(...check, revokedPath)).toThrow(/certificate revoked/);
    const empty = write("empty.pem", authority.signList(1, []).pem);
    expect(openssl("crl", "-in", empty, "-noout", "-text")).toContain("No Revoked Certificates.");
  });

  it("refuses a file that contains another key", async () => {
    const path = write(
      "other.pem",
      readFileSync(join(folder, "devices-ca.pem"), "utf8").replace(
        /-----BEGIN PRIVATE[\s\S]*?END PRIVATE KEY-----\n/,
        openssl("genpkey", "-algorithm", "ed25519"),
      ),
    );
    openssl("version");
    execFileSync("chmod", ["600", path]);
    await expect(openAuthority({ path, clock, ids: createIds(clock) })).rejects.toThrow(
      /^SOC_DEVICES_CA_FILE: must contain a P-256 key/,
    );
  });
});

describe("certificate requests", () => {
  it.each([
    ["a key on another curve", () => request("secp384r1"), /^csr: must contain a public key on the curve P-256$/],
    ["a curve of its own", explicitCurve, /P-256$/],
    [
      "an RSA key",
      () => openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "rsa.pem", "-subj", "/CN=x"),
      /P-256$/,
    ],
    ["no request", () => "hello", /^csr: must be one PKCS #10/],
    ["two requests", () => request("prime256v1") + request("prime256v1"), /^csr: must be one PKCS #10/],
    ["a certificate", () => authority.certificate, /^csr: must be one PKCS #10/],
    ["bytes after its end", () => appended(request("prime256v1")), /^csr: /],
  ])("are refused with %s", async (_, make, why) => {
    await expect(parseCertificateRequest(make())).rejects.toThrow(why);
  });

  it("with any flipped bit are refused, or contain the same key", async () => {
    const der = toDer(request("prime256v1"));
    const { key_hash } = await parseCertificateRequest(toPem(der));
    let refused = 0;
    for (let bit = 0; bit < der.length * 8; bit += 7) {
      const flipped = Buffer.from(der);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await parseCertificateRequest(toPem(flipped)).then(
        (read) => expect(read.key_hash).toBe(key_hash),
        () => {
          refused += 1;
        },
      );
    }
    expect(refused).toBeGreaterThan((der.length * 8) / 7 - 5);
  });
});

describe("alarm about the revocation list", () => {
  const signed = (hours: number) => ({
    signed_at: new Date(NOW.getTime() - hours * 3_600_000),
    next_update: new Date(NOW.getTime() + (168 - hours) * 3_600_000),
  });

  it.each([
    [signed(0), null],
    [signed(2.9), null],
    [
      signed(3),
      /^the revocation list of the devices was signed 3 hours ago and expires at 2026-11-23T09:00:00.000Z; then the broker refuses every device$/,
    ],
    [signed(168), /expired at 2026-11-16T12:00:00.000Z: the broker refuses every device$/],
    [{ signed_at: null, next_update: null }, /never signed$/],
  ])("for %j is %s", (state, expected) => {
    const alarm = findListAlarm(state, NOW);
    if (expected === null) expect(alarm).toBeNull();
    else expect(alarm).toMatch(expected);
  });
});

function explicitCurve(): string {
  openssl("ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out", "explicit.pem");
  return openssl("req", "-new", "-key", "explicit.pem", "-subj", "/CN=x");
}

const toDer = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
const toPem = (der: Buffer) =>
  `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
const appended = (pem: string) => toPem(Buffer.concat([toDer(pem), Buffer.from([0, 0])]));
