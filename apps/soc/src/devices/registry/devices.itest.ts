import { afterEach, describe, expect, it } from "vitest";
import { type DevicesWorld, devicesWorld, type World } from "../../../testing/harness/devices-world.ts";
import { buildShowcase } from "../../demo/showcase.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UNKNOWN = "01920000-0000-7000-8000-00000000dead";

let world: DevicesWorld;
afterEach(() => world.close());

async function start(options: World = {}) {
  world = await devicesWorld(options);
  return world;
}

const get = (path: string, role = "admin") => world.app.inject({ url: `/api/v1${path}`, headers: { "x-role": role } });
const revoke = (id: string, role = "admin", query = "") =>
  world.app.inject({ method: "POST", url: `/api/v1/cps/devices/${id}/revoke${query}`, headers: { "x-role": role } });

describe("devices API", () => {
  it("returns an enrolled device with its certificate and the documented fields", async () => {
    const { enrol } = await start();
    const { id } = await enrol("player-1");
    const shown = (await get(`/cps/devices/${id}`)).json();
    expect(shown).toEqual({
      id: expect.stringMatching(UUID),
      name: "player-1",
      type: "player",
      site: null,
      status: "active",
      certificate: {
        serial: expect.stringMatching(/^[0-9a-f]{32}$/),
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        not_after: expect.any(String),
        status: "valid",
      },
      firmware: { version: null, hash: null, known: false },
      attestation: { verdict: null, at: null },
      last_seen: expect.any(String),
    });
    expect((await get("/cps/devices")).json()).toEqual({
      items: [shown],
      total: 1,
      skip: 0,
      limit: 50,
      next_cursor: null,
    });
  });

  it("filters devices by newest certificate and by last contact", async () => {
    const { enrol, platform } = await start();
    for (const name of ["player-1", "player-2", "pump-3"]) await enrol(name);
    const old = new Date(platform.clock.now().getTime() - 25 * 3_600_000);
    await platform.db.updateTable("devices").set({ last_seen: old }).where("name", "=", "pump-3").execute();
    const names = async (query: string) =>
      (await get(`/cps/devices?${query}`)).json().items.map(({ name }: { name: string }) => name);
    expect(await names("q=PLAYER")).toEqual(["player-2", "player-1"]);
    expect(await names("status=offline")).toEqual(["pump-3"]);
    expect(await names("status=active&limit=1&skip=1")).toEqual(["player-1"]);
    expect(await names("type=gateway")).toEqual([]);
    expect(await names("verdict=trusted")).toEqual([]);
    const first = (await get("/cps/devices?limit=2")).json();
    expect(await names(`limit=2&cursor=${first.next_cursor}`)).toEqual(["player-1"]);
  });

  it.each([
    ["/cps/devices?limit=201", 400, /^limit: /],
    ["/cps/devices?status=lost", 400, /^status: /],
    ["/cps/devices/nope", 404, /^device 'nope' does not exist$/],
    [`/cps/devices/${UNKNOWN}`, 404, /^device '/],
    ["/cps/attestations?verdict=good", 400, /^verdict: /],
    ["/firmware?known_good=perhaps", 400, /^known_good: /],
  ])("refuses %s with %i and states the reason", async (path, status, why) => {
    await start();
    const refused = await get(path);
    expect(refused.statusCode).toBe(status);
    expect(refused.json().detail).toMatch(why);
  });

  it("lists firmware with its number of devices, and attestations", async () => {
    const { enrol, platform } = await start();
    const { id } = await enrol("player-1");
    const hash = "ab".repeat(32);
    const entry = {
      id: platform.ids.next(),
      vendor: "Manara",
      product: "Player",
      version: "2.4.1",
      hash,
      known_good: true,
    };
    await platform.db
      .insertInto("firmware")
      .values({ ...entry, created_at: platform.clock.now() })
      .execute();
    await platform.db.updateTable("devices").set({ firmware_version: "2.4.1", firmware_hash: hash }).execute();
    expect((await get("/firmware")).json().items).toEqual([{ ...entry, pcrs: {}, sbom_components: [], devices: 1 }]);
    expect((await get(`/cps/devices/${id}`)).json().firmware).toEqual({ version: "2.4.1", hash, known: true });
    expect((await get("/cps/attestations")).json()).toMatchObject({ items: [], total: 0 });
  });

  it("lets every role read and only administrators and responders revoke", async () => {
    const { enrol } = await start();
    const { id } = await enrol("player-1");
    for (const role of ["manager", "tier3", "tier2", "tier1", "detection", "auditor", "agent"]) {
      for (const path of ["/cps/devices", `/cps/devices/${id}`, "/cps/attestations", "/firmware"]) {
        expect((await get(path, role)).statusCode).toBe(200);
      }
      expect((await revoke(id, role)).statusCode).toBe(403);
    }
    expect((await get(`/cps/devices/${id}`)).json().status).toBe("active");
    expect((await revoke(id, "responder")).statusCode).toBe(200);
  });
});

describe("POST /cps/devices/{id}/revoke", () => {
  it("revokes once, without a broker as soon as the list is written, and frees the name", async () => {
    const { enrol, platform, feature } = await start();
    const { id } = await enrol("player-1");
    const answers = await Promise.all([revoke(id), revoke(id), revoke(id)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await revoke(id)).json()).toMatchObject({ id, status: "revoked", certificate: { status: "revoked" } });
    expect((await revoke("nope")).statusCode).toBe(404);
    expect((await revoke(UNKNOWN)).statusCode).toBe(404);
    const entries = await platform.db.selectFrom("audit_log").select("action").where("subject_id", "=", id).execute();
    expect(entries.map(({ action }) => action).toSorted()).toEqual([
      "device.enrolled",
      "device.revocation_begun",
      "device.revoked",
    ]);
    const events = await platform.db.selectFrom("outbox").select("type").where("subject_id", "=", id).execute();
    expect(events).toHaveLength(3);
    expect((await enrol("player-1")).id).not.toBe(id);
    expect(await feature.services.count.stored(platform.db, platform.clock.now())).toEqual({
      total: 1,
      by_verdict: {},
    });
  });

  it("returns a preview in dry_run and changes nothing", async () => {
    await start({ mode: "dry_run" });
    const { platform } = world;
    const now = platform.clock.now();
    const id = platform.ids.next();
    const row = { id, name: "player-1", type: "player", site: null, status: "active", firmware_version: null } as const;
    const rest = { firmware_hash: null, verdict: null, attested_at: null, revoked_at: null, revoked_by: null };
    await platform.db
      .insertInto("devices")
      .values({ ...row, ...rest, enrolled_at: now, last_seen: now })
      .execute();
    expect((await revoke(id)).json()).toMatchObject({ dry_run: true, preview: { id, status: "revoking" } });
    expect((await get(`/cps/devices/${id}`)).json().status).toBe("active");
    const [action] = world.feature.registrations.actions;
    const context = { actor: "eve", playbook_id: "p", execution_id: "e", scope: "all sites" } as never;
    const done = action?.kind === "outside" ? await action.run({ device_id: "player-1" }, context) : undefined;
    expect(done).toEqual({ device_id: id, status: "active", simulated: true });
    expect((await get(`/cps/devices/${id}`)).json().status).toBe("active");
  });

  it("requires the approval of another person under four eyes for exactly this device", async () => {
    const { enrol, platform } = await start({ fourEyes: true });
    const [device, other] = [await enrol("player-1"), await enrol("player-2")];
    const asked = (await revoke(device.id)).json();
    expect(asked).toMatchObject({ status: "pending_approval", device_id: device.id, requires_approval: true });
    const query = `?approval_id=${asked.approval_id}`;
    expect((await revoke(device.id, "admin", query)).json()).toMatchObject({ status: "pending_approval" });
    const decided = { status: "approved", decided_by: "manager", decided_at: platform.clock.now() } as const;
    await platform.db.updateTable("approvals").set(decided).where("id", "=", asked.approval_id).execute();
    expect((await revoke(other.id, "admin", query)).statusCode).toBe(409);
    expect((await revoke(device.id, "responder", query)).json()).toMatchObject({ id: device.id, status: "revoked" });
    expect((await revoke(device.id, "admin", query)).json()).toMatchObject({ id: device.id, status: "revoked" });
    expect((await revoke(other.id, "admin", query)).statusCode).toBe(409);
    expect((await get(`/cps/devices/${other.id}`)).json().status).toBe("active");
  });

  it("accepts id and name from a playbook", async () => {
    const { enrol, feature } = await start();
    const { id } = await enrol("player-1");
    const [action] = feature.registrations.actions;
    if (action?.kind !== "outside") throw new Error("cps.revoke acts outside");
    const context = { actor: "eve", playbook_id: "p", execution_id: "e", scope: "all sites" } as never;
    expect(await action.describe({ device_id: "PLAYER-1" }, context)).toEqual({
      summary: `Revokes the certificate of device player-1 (${id}) and ends its sessions`,
      sends: [],
      target: { kind: "device", id, name: "player-1", site: null, address: null },
    });
    expect(await action.describe({ device_id: "nope" }, context)).toEqual({
      summary: "Revokes the certificate of device nope, which will fail because the platform has no such device",
      sends: [],
    });
    await expect(action.run({ device_id: "nope" }, context)).rejects.toThrow("device 'nope' does not exist");
    expect(await action.run({ device_id: "player-1" }, context)).toEqual({
      device_id: id,
      status: "revoked",
      simulated: false,
    });
    expect(await action.run({ device_id: id }, context)).toEqual({
      device_id: id,
      status: "revoked",
      simulated: false,
    });
  });
});

describe("sites with devices", () => {
  it("cannot be deleted while they have unrevoked devices", async () => {
    const { app, feature, platform } = await start();
    const payload = { name: "Hall", profile: { asset_classes: ["iot"] } };
    const { id: site } = (await app.inject({ method: "POST", url: "/api/v1/sites", payload })).json();
    const { id } = await world.enrol("player-1");
    await platform.db.updateTable("devices").set({ site }).where("id", "=", id).execute();
    const remove = () => app.inject({ method: "DELETE", url: `/api/v1/sites/${site}` });
    expect((await remove()).json()).toEqual({ detail: "site 'Hall' still has agents or devices" });
    await revoke(id);
    expect((await remove()).statusCode).toBe(200);
    expect((await get(`/cps/devices/${id}`)).json()).toMatchObject({ site: null, status: "revoked" });
    expect(feature.registrations.readers).toEqual({ device: ["cps:read"] });
  });
});

describe("devices API without a database", () => {
  it("returns the devices of the showcase in dummy and changes nothing", async () => {
    await start({ mode: "dummy", database: "none" });
    const listed = (await get("/cps/devices?limit=3")).json();
    expect(listed).toMatchObject({ total: 7, items: [{ name: "player-kiosk-07", status: "quarantined" }, {}, {}] });
    expect((await get(`/cps/devices?cursor=${listed.next_cursor}`)).json().items).toHaveLength(4);
    expect((await get("/cps/devices?verdict=untrusted")).json().total).toBe(2);
    const [first] = listed.items;
    expect((await get(`/cps/devices/${first.id}`)).json()).toEqual(first);
    expect((await get(`/cps/attestations?device_id=${first.id}`)).json()).toMatchObject({
      items: [{ verdict: "untrusted", kind: "software" }],
    });
    expect((await get("/firmware?product=Recitation%20player")).json()).toMatchObject({ items: [{ devices: 3 }] });
    expect((await revoke(first.id)).json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
  });

  it.each(["dry_run", "real"] as const)("answers 503 in %s", async (mode) => {
    await start({ mode, database: "none" });
    for (const path of ["/cps/devices", `/cps/devices/${UNKNOWN}`, "/cps/attestations", "/firmware"]) {
      expect((await get(path)).statusCode).toBe(503);
    }
    expect((await revoke(UNKNOWN)).statusCode).toBe(503);
  });
});

describe("stored demo of devices", () => {
  it("contains the devices of the showcase", async () => {
    const { feature, platform } = await start();
    const showcase = buildShowcase(platform.clock.now());
    await platform.db.transaction().execute(async (tx) => {
      for (const { id, name, profile } of showcase.sites) {
        await tx.insertInto("sites").values({ id, name, profile }).execute();
      }
      await feature.registrations.storeDemo(tx, showcase);
    });
    const shown = (await get("/cps/devices?limit=200")).json();
    expect(shown.items.map(({ name }: { name: string }) => name)).toEqual(showcase.cps.devices.map(({ name }) => name));
    expect((await get("/firmware")).json().items[0]).toMatchObject({ product: "Recitation player", devices: 3 });
    expect((await get("/cps/attestations?verdict=stale")).json().total).toBe(1);
    expect(await feature.services.count.stored(platform.db, platform.clock.now())).toEqual(
      feature.services.count.shown(showcase, platform.clock.now()),
    );
  });
});
