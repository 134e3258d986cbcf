import "reflect-metadata";
import { createHash, createPublicKey, verify } from "node:crypto";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { expect, it } from "vitest";
import { createCertificateRequest } from "./certificate-request.ts";
import { createDeviceKey, isIssuedFor, signMeasurement } from "./device-key.ts";
import { type Enrolment, isExpired, isRenewalDue } from "./enrolment.ts";

const ENROLMENT: Enrolment = {
  ...{ address: "soc:1", device_id: "d", authority: "", certificate: "", broker: null, key_name: "k" },
  ...{ issued_at: 1000, not_after: 3000, attested_at: null, is_refused: false },
};

it("is renewed after half of its life and ends with its last second", () => {
  expect([1999, 2000].map((nowS) => isRenewalDue(ENROLMENT, nowS))).toEqual([false, true]);
  expect([2999, 3000].map((nowS) => isExpired(ENROLMENT, nowS))).toEqual([false, true]);
});

it("has a P-256 key, a request for a certificate that the key has signed, and signatures of 64 bytes", async () => {
  const key = await createDeviceKey();
  const request = new Pkcs10CertificateRequest(await createCertificateRequest(key));
  expect(await request.verify()).toBe(true);
  const publicKey = createPublicKey(key);
  expect(publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  expect(digest(new Uint8Array(request.publicKey.rawData))).toBe(digest(new Uint8Array(spki)));
  const signature = Buffer.from(signMeasurement(key, "{}"), "base64");
  expect(signature).toHaveLength(64);
  const signed = Buffer.from("manara-software-attestation-1\n{}");
  expect(verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
});

it("takes no text that is not a certificate", async () => {
  expect(isIssuedFor(await createDeviceKey(), "no certificate", "none either")).toBe(false);
});
