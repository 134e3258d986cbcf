import { afterEach, describe, expect, it } from "vitest";
import { GOOD_HASH, measure } from "../../../testing/fixtures/measured-answer.ts";
import { type AttestationWorld, attestationWorld } from "../../../testing/harness/attestation-world.ts";
import { verifyBundle } from "../../cases/ledger/verify.ts";
import { sha256, sha256Hex, verifyEd25519 } from "../../foundation/records/digest.ts";

let world: AttestationWorld;
afterEach(() => world.close());

async function start(options: Parameters<typeof attestationWorld>[0] = {}) {
  world = await attestationWorld(options);
  return world;
}

const attest = (id: string, role = "admin") =>
  world.app.inject({ method: "POST", url: `/api/v1/cps/devices/${id}/attest`, headers: { "x-role": role } });
const MINUTE_MS = 60_000;
const UNKNOWN = "01920000-0000-7000-8000-00000000dead";

describe("attestation requests", () => {
  it("have a nonce valid for 60 s and emit the event attestation_request", async () => {
    const { enrol, db } = await start();
    const { id } = await enrol("player-1");
    const asked = await attest(id);
    expect(asked.statusCode).toBe(201);
    const { request_id, asked_at, deadline } = asked.json();
    expect(Date.parse(deadline) - Date.parse(asked_at)).toBe(MINUTE_MS);
    const events = await db.selectFrom("audit_log").selectAll().where("action", "=", "attestation_request").execute();
    expect(events).toMatchObject([
      { subject_id: id, actor: "admin", details: { request_id, device_id: id, deadline } },
    ]);
    expect(events[0]?.details).toHaveProperty("nonce", expect.stringMatching(/^[0-9a-f]{64}$/));
  });

  it("exist once per device: an open request is returned again", async () => {
    const { enrol } = await start();
    const { id } = await enrol("player-1");
    const [first, second] = [(await attest(id)).json(), (await attest(id)).json()];
    expect(second).toEqual(first);
  });

  it("are refused for an unknown or revoked device and without cps:manage", async () => {
    const { enrol, app } = await start();
    const { id } = await enrol("player-1");
    expect((await attest(UNKNOWN)).statusCode).toBe(404);
    expect((await attest(id, "auditor")).statusCode).toBe(403);
    await app.inject({ method: "POST", url: `/api/v1/cps/devices/${id}/revoke` });
    const refused = await attest(id);
    expect([refused.statusCode, refused.json().detail]).toEqual([409, "device 'player-1' is revoked"]);
  });

  it("are claimed by one of several relays, again after 10 s, and not after a receipt", async () => {
    const { enrol, requests, clock } = await start();
    const { id } = await enrol("player-1");
    const { request_id } = (await attest(id)).json();
    const claims = await Promise.all([requests.claim(10), requests.claim(10), requests.claim(10)]);
    expect(claims.flat()).toMatchObject([
      { request_id, device_id: id, nonce: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    await clock.advance(10_000);
    expect(await requests.claim(10)).toHaveLength(1);
    expect(await requests.confirm(UNKNOWN, request_id)).toBe(false);
    expect(await requests.confirm(id, "no id")).toBe(false);
    expect(await requests.confirm(id, request_id)).toBe(true);
    await clock.advance(20_000);
    expect(await requests.claim(10)).toEqual([]);
  });

  it("are sent to every device once an hour, spread over the hour", async () => {
    const { enrol, feature, clock, db } = await start();
    for (let number = 0; number < 4; number += 1) await enrol(`player-${number}`);
    const begun = clock.now().getTime();
    for (let minute = 0; minute < 180; minute += 5) {
      await feature.services.attestation.expire(100);
      await feature.services.attestation.askDue(100);
      await clock.advance(5 * MINUTE_MS);
    }
    const asked = await db
      .selectFrom("attestation_requests")
      .select(["device_id", "asked_at"])
      .orderBy("asked_at")
      .execute();
    const devices = [...new Set(asked.map(({ device_id }) => device_id))];
    expect(devices).toHaveLength(4);
    for (const id of devices) {
      const minutes = asked
        .filter(({ device_id }) => device_id === id)
        .map(({ asked_at }) => (asked_at.getTime() - begun) / MINUTE_MS);
      // The loop runs every five minutes.
      expect(minutes[0]).toBeLessThanOrEqual(65);
      const gaps = minutes.slice(1).map((each, place) => each - (minutes[place] ?? 0));
      expect(gaps.length).toBeGreaterThan(0);
      for (const gap of gaps) expect([60, 65]).toContain(gap);
    }
    expect(new Set(asked.map(({ asked_at }) => asked_at.getTime())).size).toBeGreaterThan(4);
  });
});

describe("attestation answers", () => {
  it("are judged once, change the device, and can be verified without the platform", async () => {
    const { enrol, ask, addFirmware, requests, listAttestations, app, sign, db } = await start();
    await addFirmware();
    const device = await enrol("player-1");
    const answer = measure(device, await ask(device.id));
    expect(await requests.answer(device.id, answer)).toBe("judged");
    const [attestation] = await listAttestations(device.id);
    expect(attestation).toMatchObject({ kind: "software", verdict: "trusted", reason: null, firmware_hash: GOOD_HASH });
    expect((await app.inject({ url: `/api/v1/cps/devices/${device.id}` })).json()).toMatchObject({
      attestation: { verdict: "trusted" },
      firmware: { version: "2.4.1", hash: GOOD_HASH, known: true },
    });
    await sign();
    const bundle = (await app.inject({ url: `/api/v1/ledger/bundle?case_id=${attestation.id}` })).json();
    expect(await verifyBundle(bundle, { sha256, verifyEd25519 })).toMatchObject({ isGenuine: true });
    const { body } = bundle.entries[0].entry;
    expect(body).toMatchObject({
      attestation_id: attestation.id,
      device_id: device.id,
      kind: "software",
      verdict: "trusted",
    });
    const stored = await db.selectFrom("attestation_requests").select("answer").executeTakeFirstOrThrow();
    expect(body.answer_sha256).toBe(sha256Hex(stored.answer ?? ""));
    expect(JSON.parse(stored.answer ?? "")).toEqual(answer);
    body.verdict = "untrusted";
    expect(await verifyBundle(bundle, { sha256, verifyEd25519 })).toMatchObject({ isGenuine: false });
  });

  it("are kept for a year, and their requests for 90 days", async () => {
    const { enrol, ask, requests, listAttestations, clock, feature, world: devices } = await start();
    const device = await enrol("player-1");
    await requests.answer(device.id, measure(device, await ask(device.id)));
    const sweep = async () => {
      // Attestations first: an attestation whose request still exists must not stop the sweep.
      for (const { run } of [...devices.feature.registrations.sweeps, ...feature.registrations.sweeps]) await run();
      return (await listAttestations(device.id)).length;
    };
    await clock.advance(364 * 24 * 60 * MINUTE_MS);
    expect(await sweep()).toBe(1);
    await clock.advance(2 * 24 * 60 * MINUTE_MS);
    expect(await sweep()).toBe(0);
  });

  it("count once when the same answer arrives 20 times concurrently", async () => {
    const { enrol, ask, addFirmware, requests, listAttestations } = await start();
    await addFirmware();
    const device = await enrol("player-1");
    const answer = measure(device, await ask(device.id));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => requests.answer(device.id, answer)));
    expect(outcomes.toSorted()).toEqual(["judged", ...Array.from({ length: 19 }, () => "repeated")]);
    expect(await listAttestations(device.id)).toHaveLength(1);
  });

  it("with changed firmware are untrusted and raise one alert in total", async () => {
    const { enrol, ask, addFirmware, requests, listAttestations, db } = await start();
    await addFirmware();
    const device = await enrol("player-1");
    const firmware = { version: "2.4.1", hash: "bb".repeat(32) };
    for (let count = 0; count < 2; count += 1) {
      await requests.answer(device.id, measure(device, await ask(device.id), { firmware }));
    }
    const verdicts = (await listAttestations(device.id)).map(({ verdict }: { verdict: string }) => verdict);
    expect(verdicts).toEqual(["untrusted", "untrusted"]);
    const alerts = await db.selectFrom("alerts").selectAll().execute();
    expect(alerts).toMatchObject([
      {
        title: "Device player-1 is untrusted",
        source: "attestation",
        host: "player-1",
        severity: "high",
        occurrence_count: 2,
      },
    ]);
    const changes = await db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "device.verdict_changed")
      .execute();
    expect(changes).toMatchObject([{ details: { verdict: "untrusted", previous: null } }]);
  });

  it("to an old request are not judged, and the device becomes stale", async () => {
    const { enrol, ask, requests, feature, clock, listAttestations } = await start();
    const device = await enrol("player-1");
    const asked = await ask(device.id);
    await clock.advance(MINUTE_MS + 1);
    expect(await requests.claim(10)).toEqual([]);
    expect(await feature.services.attestation.expire(10)).toBe(1);
    expect(await requests.answer(device.id, measure(device, asked))).toBe("repeated");
    expect(await listAttestations(device.id)).toMatchObject([
      { verdict: "stale", kind: "software", reason: "no answer within 60 seconds" },
    ]);
  });

  it("that arrive late, but before the request has expired, are stale", async () => {
    const { enrol, ask, requests, clock, listAttestations } = await start();
    const device = await enrol("player-1");
    const asked = await ask(device.id);
    await clock.advance(MINUTE_MS + 1);
    expect(await requests.answer(device.id, measure(device, asked))).toBe("judged");
    expect(await listAttestations(device.id)).toMatchObject([
      { verdict: "stale", reason: "the answer came after 60 seconds" },
    ]);
  });

  it("of another device, with a foreign certificate or of an unknown form are rejected", async () => {
    const { enrol, ask, addFirmware, requests, listAttestations } = await start();
    await addFirmware();
    const [device, other] = [await enrol("player-1"), await enrol("player-2")];
    const asked = await ask(device.id);
    expect(await requests.answer(other.id, measure(other, asked))).toBe("unknown");
    expect(await requests.answer(device.id, { request_id: UNKNOWN })).toBe("unknown");
    expect(await requests.answer(device.id, "text")).toBe("unknown");
    expect(await requests.answer(device.id, measure({ ...other, id: device.id }, asked))).toBe("judged");
    expect(await requests.answer(device.id, { request_id: (await ask(device.id)).request_id })).toBe("judged");
    expect(await listAttestations(device.id)).toMatchObject([
      { verdict: "failed", reason: "the answer does not have the documented fields" },
      { verdict: "failed", reason: "certificate: is not a valid certificate of the device" },
    ]);
  });

  it("from two alternating boots reveal a clone until the device is enrolled again", async () => {
    const { enrol, enrolAgain, ask, addFirmware, requests, listAttestations } = await start();
    await addFirmware();
    let device = await enrol("player-1");
    const answer = async (boot: string) =>
      requests.answer(device.id, measure(device, await ask(device.id), { boot: { id: boot, uptime_ms: 0 } }));
    for (const boot of ["boot-1", "boot-2", "boot-1", "boot-2"]) await answer(boot);
    const verdicts = async () => (await listAttestations(device.id)).map(({ verdict }: { verdict: string }) => verdict);
    expect(await verdicts()).toEqual(["untrusted", "untrusted", "trusted", "trusted"]);
    device = await enrolAgain(device.id);
    await answer("boot-3");
    expect((await verdicts())[0]).toBe("trusted");
  });
});

describe("firmware catalog", () => {
  const put = (hash: string, payload: object, role = "admin") =>
    world.app.inject({ method: "PUT", url: `/api/v1/firmware/${hash}`, payload, headers: { "x-role": role } });
  const NAMED = { vendor: "Manara", product: "Player", version: "2.4.1", known_good: true };

  it("stores an entry, replaces it by its hash, and determines the next verdict", async () => {
    const { enrol, ask, requests, listAttestations, app } = await start();
    const sbom_components = [{ name: "linux", version: "6.12.48" }];
    const stored = await put(GOOD_HASH, { ...NAMED, sbom_components });
    expect(stored.json()).toMatchObject({ ...NAMED, hash: GOOD_HASH, pcrs: {}, sbom_components, devices: 0 });
    const device = await enrol("player-1");
    await requests.answer(device.id, measure(device, await ask(device.id)));
    const withdrawn = await put(GOOD_HASH, { ...NAMED, sbom_components, known_good: false });
    expect(withdrawn.json()).toMatchObject({ id: stored.json().id, known_good: false, devices: 1 });
    await requests.answer(device.id, measure(device, await ask(device.id)));
    expect((await app.inject({ url: "/api/v1/firmware" })).json().items).toHaveLength(1);
    expect(await listAttestations(device.id)).toMatchObject([{ verdict: "untrusted" }, { verdict: "trusted" }]);
  });

  it("refuses an entry that can never match", async () => {
    await start();
    expect((await put("AB", NAMED)).statusCode).toBe(400);
    expect((await put(GOOD_HASH, { ...NAMED, pcrs: { "10": GOOD_HASH } })).json().detail).toMatch(
      /^pcrs: PCR '10' is not quoted/,
    );
    expect((await put(GOOD_HASH, { ...NAMED, pcrs: { "0": "AB" } })).statusCode).toBe(400);
    expect((await put(GOOD_HASH, { ...NAMED, pcrs: { "24": GOOD_HASH } })).statusCode).toBe(400);
    expect((await put(GOOD_HASH, { ...NAMED, pcrs: { "04": GOOD_HASH } })).statusCode).toBe(400);
    expect((await put(GOOD_HASH, NAMED, "auditor")).statusCode).toBe(403);
  });
});

describe("runtime modes of attestation", () => {
  it("previews requests in dry_run and stores nothing", async () => {
    const { addDevice, db } = await start({ mode: "dry_run" });
    const id = await addDevice("player-1");
    const asked = await attest(id);
    expect(asked.statusCode).toBe(200);
    expect(asked.json()).toMatchObject({ dry_run: true, preview: { device_id: id } });
    expect(await db.selectFrom("attestation_requests").selectAll().execute()).toEqual([]);
  });

  it("requests and judges attestations automatically in dry_run, as in real", async () => {
    const { addDevice, feature, clock, listAttestations } = await start({ mode: "dry_run" });
    const id = await addDevice("player-1");
    await feature.services.attestation.askDue(10);
    await clock.advance(60 * MINUTE_MS);
    expect(await feature.services.attestation.askDue(10)).toBe(1);
    await clock.advance(2 * MINUTE_MS);
    await feature.services.attestation.expire(10);
    expect(await listAttestations(id)).toMatchObject([{ verdict: "stale" }]);
  });

  it("refuses all changes in dummy, including the answer of a device", async () => {
    const { addDevice, requests } = await start({ mode: "dummy" });
    const id = await addDevice("player-1");
    expect((await attest(id)).statusCode).toBe(403);
    await expect(requests.answer(id, { request_id: UNKNOWN })).rejects.toThrow(/blocks this change/);
  });
});
