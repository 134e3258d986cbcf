import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecordings } from "../../../testing/fixtures/recorded-quotes.ts";
import { type EndorsementTrust, findEndorsementFault } from "./endorsement.ts";
import { computeName, type PublicArea, toKeyObject } from "./tpm/public-area.ts";

const run = promisify(execFile);
const { ek, rsaEk, ecdsa } = readRecordings();
const NOW = new Date(Date.now() + 60_000);
const LATER = new Date(NOW.getTime() + 400 * 24 * 3_600_000);

let folder: string;
const openssl = (...args: readonly string[]) => run("openssl", args, { cwd: folder });
const read = async (name: string) => new X509Certificate(await readFile(join(folder, `${name}.pem`)));

/** Issues a certificate with openssl, like the maker of a TPM. */
async function issue(name: string, issuer: string | undefined, isAuthority: boolean, area?: PublicArea): Promise<void> {
  await openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
  await openssl("req", "-new", "-key", `${name}.key`, "-subj", `/CN=${name}`, "-out", `${name}.csr`);
  await writeFile(join(folder, "extensions"), `basicConstraints=critical,CA:${isAuthority ? "TRUE" : "FALSE"}\n`);
  const forced = area ? ["-force_pubkey", `${name}.pub`] : [];
  if (area) await writeFile(join(folder, `${name}.pub`), toKeyObject(area).export({ type: "spki", format: "pem" }));
  const by = issuer
    ? ["-CA", `${issuer}.pem`, "-CAkey", `${issuer}.key`, "-CAcreateserial"]
    : ["-signkey", `${name}.key`];
  const files = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-extfile", "extensions"];
  await openssl("x509", "-req", ...files, ...by, ...forced, "-days", "365");
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "endorsement-"));
  await issue("maker", undefined, true);
  await issue("plant", "maker", true);
  await issue("stranger", undefined, true);
  await issue("device", "maker", false);
  await issue("ecc", "plant", false, ek);
  await issue("rsa", "plant", false, rsaEk);
  await issue("self-made", "stranger", false, ek);
  await issue("by-a-device", "device", false, ek);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const none: EndorsementTrust = { roots: [], names: new Set() };

describe("endorsement key trust", () => {
  it("trusts a key that a trusted maker certifies", async () => {
    const trust = { ...none, roots: [await read("stranger"), await read("maker")] };
    expect(findEndorsementFault(ek, [await read("ecc"), await read("plant")], trust, NOW)).toBeUndefined();
    expect(findEndorsementFault(rsaEk, [await read("rsa"), await read("plant")], trust, NOW)).toBeUndefined();
  });

  it("trusts a key that the operator has named", () => {
    const trust = { ...none, names: new Set([computeName(ek).toString("hex")]) };
    expect(findEndorsementFault(ek, [], trust, NOW)).toBeUndefined();
    expect(findEndorsementFault(rsaEk, [], trust, NOW)).toMatch(/has no certificate/);
  });

  it("refuses every other key", async () => {
    const roots = [await read("maker")];
    const findFault = (area: PublicArea, chain: X509Certificate[], now = NOW) =>
      findEndorsementFault(area, chain, { ...none, roots }, now);
    const [ecc, plant, device] = [await read("ecc"), await read("plant"), await read("device")];
    expect(findFault(ek, [])).toMatch(/has no certificate/);
    expect(findFault(ek, [ecc])).toMatch(/^no maker of TPMs/);
    expect(findFault(ek, [await read("self-made"), await read("stranger")])).toMatch(/^no maker of TPMs/);
    expect(findFault(ek, [await read("by-a-device"), device])).toMatch(/^no maker of TPMs/);
    expect(findFault(rsaEk, [ecc, plant])).toMatch(/^the certificate does not belong to/);
    expect(findFault(ek, [ecc, plant], LATER)).toMatch(/is not valid at this time$/);
    expect(findFault(ek, [ecc, ...Array.from({ length: 5 }, () => plant)])).toMatch(/more than 5/);
    expect(findFault(ecdsa.expected.key, [ecc, plant])).toBe("the endorsement key must be decrypt");
  });
});
