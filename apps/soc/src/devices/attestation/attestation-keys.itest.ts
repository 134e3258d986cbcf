import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { measure } from "../../../testing/fixtures/measured-answer.ts";
import { type AttestationWorld, attestationWorld } from "../../../testing/harness/attestation-world.ts";
import type { EnrolledDevice } from "../../../testing/harness/devices-world.ts";
import { type SwtpmServer, startSwtpm } from "../../../testing/servers/swtpm.ts";
import { createTpmDevice, openCredential, type TpmDevice } from "../../../testing/servers/tpm-device.ts";
import { SELECTION } from "./attestation.ts";
import { computeName, marshalPublic, type PublicArea } from "./tpm/public-area.ts";

let tpm: SwtpmServer;
let tpmDevice: TpmDevice;
beforeAll(async () => {
  tpm = await startSwtpm();
  tpmDevice = await createTpmDevice(tpm, "ecdsa");
});
afterAll(() => tpm.close());

let world: AttestationWorld;
let device: EnrolledDevice;
beforeEach(async () => {
  const names = new Set([computeName(tpmDevice.ek).toString("hex")]);
  world = await attestationWorld({ endorsementTrust: { roots: [], names } });
  await world.startServer();
  device = await world.enrol("gateway-1");
});
afterEach(() => world.close());

const encode = (area: PublicArea) => marshalPublic(area).toString("base64");
const keys = () => ({ endorsement_key: encode(tpmDevice.ek), attestation_key: encode(tpmDevice.ak) });

async function register(of: EnrolledDevice = device) {
  const { body } = await world.send(of, "/attestation-key", keys());
  const decode = (text = "") => Buffer.from(text, "base64");
  const opened = await openCredential(tpm, tpmDevice, {
    credentialBlob: decode(body.credential_blob),
    secret: decode(body.secret),
  });
  return opened.toString("base64");
}

async function quote(of: EnrolledDevice = device) {
  const asked = await world.ask(of.id);
  const given = await tpmDevice.quote(Buffer.from(asked.nonce, "hex"), SELECTION);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const { pcrs } = given;
  const answer = {
    request_id: asked.request_id,
    kind: "tpm",
    quote: text(given.quote),
    signature: text(given.signature),
    pcrs,
  };
  return { asked, answer };
}

describe("devices with a TPM", () => {
  it("register their key with a secret that the TPM decrypts, and attest by quotes afterwards", async () => {
    const activated = await world.send(device, "/attestation-key/activate", { secret: await register() });
    expect(activated).toEqual({
      status: 200,
      body: { attestation_key_name: computeName(tpmDevice.ak).toString("hex") },
    });
    const { answer } = await quote();
    await world.addFirmware({ pcrs: { "0": answer.pcrs[0] ?? "", "4": answer.pcrs[4] ?? "" } });
    expect(await world.requests.answer(device.id, answer)).toBe("judged");
    // The same quote again for the next request, then a measurement instead of a quote.
    const next = await world.ask(device.id);
    await world.requests.answer(device.id, { ...answer, request_id: next.request_id });
    await world.requests.answer(device.id, measure(device, await world.ask(device.id)));
    // Simulates a changed boot loader.
    await tpm.tool("pcrextend", `4:sha256=${"ab".repeat(32)}`);
    await world.requests.answer(device.id, (await quote()).answer);
    expect(await world.listAttestations(device.id)).toMatchObject([
      { kind: "tpm", verdict: "untrusted", reason: "the PCR values are not in the firmware catalog" },
      { kind: "tpm", verdict: "failed", reason: "the device attests by tpm, the answer is of kind software" },
      { kind: "tpm", verdict: "failed", reason: "the quote answers another request: its nonce differs" },
      { kind: "tpm", verdict: "trusted", reason: null },
    ]);
  });

  it("attest by software until the key is activated: a quote is not accepted", async () => {
    await register();
    const { answer } = await quote();
    await world.requests.answer(device.id, answer);
    expect(await world.listAttestations(device.id)).toMatchObject([{ kind: "software", verdict: "failed" }]);
  });

  it("cannot activate the key with a wrong secret, which invalidates the challenge", async () => {
    const secret = await register();
    const refused = { status: 401, body: { detail: "secret: does not match an open challenge" } };
    const wrong = Buffer.alloc(32).toString("base64");
    expect(await world.send(device, "/attestation-key/activate", { secret: wrong })).toEqual(refused);
    expect(await world.send(device, "/attestation-key/activate", { secret })).toEqual(refused);
  });

  it("cannot have the TPM of another device until that one is revoked, and of two concurrent devices one wins", async () => {
    const others = [await world.enrol("gateway-2"), await world.enrol("gateway-3")];
    const secrets: (string | undefined)[] = [];
    for (const each of others) secrets.push(await register(each));
    const activate = (each: EnrolledDevice, secret = "") => world.send(each, "/attestation-key/activate", { secret });
    const both = await Promise.all(others.map((each, at) => activate(each, secrets[at])));
    expect(both.map(({ status }) => status).toSorted((a = 0, b = 0) => a - b)).toEqual([200, 409]);
    const refused = { status: 409, body: { detail: "endorsement_key: the TPM belongs to another device" } };
    expect(both).toContainEqual(refused);
    const [owner] = others.filter((_each, at) => both[at]?.status === 200);
    const secret = await register(device);
    expect(await activate(device, secret)).toEqual(refused);
    await world.db
      .updateTable("devices")
      .set({ status: "revoked", revoked_at: world.clock.now(), revoked_by: "test" })
      .where("id", "=", owner?.id ?? "")
      .execute();
    expect(await activate(device, await register(device))).toMatchObject({ status: 200 });
  });

  it("are untrusted by the name of the other device if an older release gave both the same TPM", async () => {
    await world.send(device, "/attestation-key/activate", { secret: await register() });
    const twin = await world.enrol("gateway-2");
    const { answer } = await quote();
    await world.requests.answer(device.id, answer);
    await world.ask(twin.id);
    const { endorsement_name, attestation_key } = await world.db
      .selectFrom("attested_devices")
      .selectAll()
      .where("device_id", "=", device.id)
      .executeTakeFirstOrThrow();
    const empty = { next_at: world.clock.now(), clock_info: null, clone: null, entry_hash: null };
    await world.db
      .insertInto("attested_devices")
      .values({ device_id: twin.id, endorsement_name, attestation_key, ...empty })
      .onConflict((known) => known.column("device_id").doUpdateSet({ endorsement_name, attestation_key }))
      .execute();
    await world.addFirmware({ pcrs: { "0": answer.pcrs[0] ?? "", "4": answer.pcrs[4] ?? "" } });
    await world.requests.answer(twin.id, (await quote(twin)).answer);
    await world.requests.answer(device.id, (await quote()).answer);
    expect(await world.listAttestations(twin.id)).toMatchObject([
      { verdict: "untrusted", reason: "its TPM belongs to device 'gateway-1'" },
    ]);
    expect((await world.listAttestations(device.id))[0]).toMatchObject({ verdict: "trusted" });
  });

  it("leave an audit entry when a TPM is trusted on first use, and when a new enrolment brings another TPM", async () => {
    await world.send(device, "/attestation-key/activate", { secret: await register() });
    // The device had another TPM before.
    const former = `000b${"ab".repeat(32)}`;
    await world.db
      .updateTable("tpm_bindings")
      .set({ endorsement_name: former })
      .where("device_id", "=", device.id)
      .execute();
    device = await world.enrolAgain(device.id);
    await world.send(device, "/attestation-key/activate", { secret: await register() });
    const entries = await world.db
      .selectFrom("audit_log")
      .select(["action", "details"])
      .where("subject_id", "=", device.id)
      .where("action", "in", ["device.key_activated", "device.tpm_changed"])
      .orderBy("at")
      .execute();
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "device.key_activated",
      "device.key_activated",
      "device.tpm_changed",
    ]);
    expect(entries.find(({ action }) => action === "device.tpm_changed")?.details).toMatchObject({ previous: former });
    expect(entries[0]?.details).toMatchObject({ is_first_use: true });
  });

  it("cannot activate a key that the operator has named for another device, or another key than the named one", async () => {
    const key = computeName(tpmDevice.ek).toString("hex");
    for (const [devices, status] of [
      [new Map([[key, "gateway-9"]]), 409],
      [new Map([["000b", "gateway-1"]]), 409],
      [new Map([[key, "gateway-1"]]), 200],
    ] as const) {
      await world.close();
      world = await attestationWorld({ endorsementTrust: { roots: [], names: new Set([key]), devices } });
      await world.startServer();
      device = await world.enrol("gateway-1");
      const secret = await register();
      expect(await world.send(device, "/attestation-key/activate", { secret })).toMatchObject({ status });
    }
  });

  it("cannot activate the key after five minutes", async () => {
    const secret = await register();
    await world.clock.advance(5 * 60_000);
    expect(await world.send(device, "/attestation-key/activate", { secret })).toMatchObject({ status: 401 });
  });

  it("cannot register an endorsement key that neither the operator nor a TPM maker certifies", async () => {
    const other = await startSwtpm();
    try {
      const stranger = await createTpmDevice(other, "ecdsa");
      const given = { ...keys(), endorsement_key: encode(stranger.ek) };
      const refused = await world.send(device, "/attestation-key", given);
      expect(refused.status).toBe(400);
      expect(refused.body.detail).toMatch(/^endorsement_key: the endorsement key has no certificate/);
    } finally {
      await other.close();
    }
  });

  it("cannot register an unrestricted attestation key or malformed key bytes", async () => {
    const free = { ...tpmDevice.ak, attributes: tpmDevice.ak.attributes & ~(1 << 16) };
    const send = (attestation_key: string) => world.send(device, "/attestation-key", { ...keys(), attestation_key });
    expect(await send(encode(free))).toEqual({
      status: 400,
      body: { detail: "attestation_key: the attestation key must be restricted" },
    });
    expect((await send("AAAA")).body.detail).toMatch(/^attestation_key: public/);
    expect((await send("no base64")).body.detail).toBe("attestation_key: must be base64");
  });
});
