import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  expectUnknown,
  type SendRequest,
  startTwoSites,
  type TwoSites,
} from "../../../testing/harness/limited-callers.ts";

const TABLES = ["devices", "device_certificates", "attestations", "firmware"];

let soc: TwoSites;
let ofAlpha: SendRequest;
let keyOfAlpha: SendRequest;
let own: string;
let foreign: string;

async function addDevice(word: string, site: string | null): Promise<string> {
  const id = randomUUID();
  const hash = `hash-${word}`;
  await soc.query(
    `INSERT INTO devices (id, name, type, site, firmware_version, firmware_hash, verdict, attested_at, enrolled_at, last_seen)
     VALUES ($1, $2, $3, nullif($4, '')::uuid, $5, $6, 'untrusted', now(), now(), now())`,
    [id, `name-${word}-${id.slice(0, 4)}`, `type-${word}`, site ?? "", `version-${word}`, hash],
  );
  await soc.query(
    `INSERT INTO device_certificates (serial, device_id, fingerprint, key_hash, issued_at, not_after)
     VALUES (md5($1), $1::uuid, $2, $2, now(), now() + interval '1 day')`,
    [id, `${word}-${id}`],
  );
  await soc.query(
    `INSERT INTO attestations (id, device_id, kind, verdict, reason, firmware_hash, at)
     VALUES ($1, $2, 'software', 'untrusted', $3, $4, now())`,
    [randomUUID(), id, `reason-${word}`, hash],
  );
  await soc.query(
    `INSERT INTO firmware (id, vendor, product, version, hash, known_good, created_at)
     VALUES ($1, $2, $2, $2, $3, true, now()) ON CONFLICT DO NOTHING`,
    [randomUUID(), word, hash],
  );
  return id;
}

beforeAll(async () => {
  soc = await startTwoSites();
  const { alpha, beta } = soc;
  [own, foreign] = [await addDevice(alpha.word, alpha.id), await addDevice(beta.word, beta.id)];
  await addDevice(beta.word, null);
  ofAlpha = await soc.addLimited("responder", [alpha]);
  keyOfAlpha = await soc.addLimitedKey(["cps:read", "cps:manage"], [alpha]);
});

afterAll(() => soc.close());

async function expectOnlyAlpha(ask: SendRequest): Promise<void> {
  const { beta } = soc;
  const filters = [`/cps/devices?q=${beta.word}`, `/cps/attestations?device_id=${foreign}`];
  const paths = ["/cps/devices", "/cps/attestations", `/cps/devices/${own}`, ...filters];
  for (const path of paths) {
    const { status, body } = await ask("GET", path);
    expect([path, status]).toEqual([path, 200]);
    for (const secret of [beta.word, beta.id, foreign]) expect(body).not.toContain(secret);
  }
  for (const path of filters) expect((await ask("GET", path)).json()).toMatchObject({ items: [], total: 0 });
  expect((await ask("GET", "/cps/devices")).json()).toMatchObject({
    total: 1,
    items: [{ id: own, site: soc.alpha.id, certificate: { status: "valid" }, firmware: { known: true } }],
  });
  expect((await ask("GET", "/cps/attestations")).json()).toMatchObject({ total: 1, items: [{ device_id: own }] });
  await expectUnknown(ask, "GET", (id) => `/cps/devices/${id}`, foreign);
  await expectUnknown(ask, "POST", (id) => `/cps/devices/${id}/revoke`, foreign);
  const [row] = await soc.query("SELECT status FROM devices WHERE id = $1", [foreign]);
  expect(row).toEqual({ status: "active" });
}

it("returns only devices, certificates and attestations of the caller's site", async () => {
  await expectOnlyAlpha(ofAlpha);
  await expectOnlyAlpha(keyOfAlpha);
  await soc.withoutPolicies(TABLES, () => expectOnlyAlpha(ofAlpha));
});

it("denies firmware catalog, enrolment codes and attestation requests to a caller of one site", async () => {
  const refusal = { detail: "requires access to all sites" };
  const closed: [string, string, object?][] = [
    ["GET", "/firmware"],
    ["POST", "/cps/enrolment-codes", { name: "pump", type: "controller", site: soc.alpha.id }],
    ["POST", `/cps/devices/${own}/attest`],
  ];
  for (const [method, path, body] of closed) {
    const refused = await ofAlpha(method, path, body);
    expect([path, refused.status, refused.json()]).toEqual([path, 403, refusal]);
  }
});

it("revokes a device of the caller's site", async () => {
  const revoked = await keyOfAlpha("POST", `/cps/devices/${own}/revoke`);
  expect(revoked.status).toBe(200);
  expect(revoked.json()).toMatchObject({ id: own, certificate: { status: "revoked" } });
  expect(["revoking", "revoked"]).toContain(revoked.json().status);
  const [row] = await soc.query("SELECT revoked_by FROM devices WHERE id = $1", [own]);
  expect(row).toMatchObject({ revoked_by: expect.any(String) });
});
