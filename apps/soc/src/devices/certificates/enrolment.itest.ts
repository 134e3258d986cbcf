import { once } from "node:events";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { createFakeClock } from "@kit/clock/fake";
import { freePort } from "@kit/testing/process";
import { afterEach, describe, expect, it } from "vitest";
import {
  type DevicesWorld,
  devicesWorld,
  makeRequest,
  raceForCodes,
  type World,
} from "../../../testing/harness/devices-world.ts";

const REFUSED_CODE = "code: is unknown, used or expired";
const REFUSED_CERTIFICATE = "certificate: is missing, unknown, revoked or expired";
const MINUTE_MS = 60_000;

let world: DevicesWorld;
afterEach(() => world.close());

async function start(options: World = {}) {
  world = await devicesWorld(options);
  return world;
}

async function newCode(payload: object, role = "admin") {
  const url = "/api/v1/cps/enrolment-codes";
  return world.app.inject({ method: "POST", url, payload, headers: { "x-role": role } });
}
const stored = () => world.platform.db.selectFrom("device_certificates").selectAll().execute();

describe("enrolment codes", () => {
  it("have 128 random bits, expire after 15 minutes, and are stored only as a digest", async () => {
    await start();
    const answered = await newCode({ name: "player-1", type: "player" });
    expect(answered.statusCode).toBe(201);
    const { code, created_at, expires_at, authority_fingerprint } = answered.json();
    expect(code).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/);
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(15 * MINUTE_MS);
    expect(authority_fingerprint).toBe((await world.authority()).fingerprint);
    const rows = await world.platform.db.selectFrom("enrolment_codes").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(code.slice(0, 9));
    const audit = await world.platform.db.selectFrom("audit_log").selectAll().execute();
    expect(JSON.stringify(audit)).not.toContain(code.slice(0, 9));
  });

  it("issue one certificate in each of five races of 50 requests", async () => {
    await start();
    const counts = await raceForCodes(world, 5);
    expect(counts).toEqual([1, 1, 1, 1, 1]);
    expect(await stored()).toHaveLength(5);
  });

  it("are refused at once while another request uses them, and usable again if that request fails", async () => {
    const { feature, platform } = await start();
    const { code } = (await newCode({ name: "player-1", type: "player" })).json();
    const { csr } = await makeRequest();
    const failing = platform.db.transaction().execute(async (tx) => {
      await tx.updateTable("enrolment_codes").set({ used_at: new Date() }).execute();
      await expect(feature.services.enrolment.enrol({ code, csr })).rejects.toThrow(
        "code: another request is using it",
      );
      throw new Error("undone");
    });
    await expect(failing).rejects.toThrow("undone");
    expect(await feature.services.enrolment.enrol({ code, csr })).toHaveProperty("certificate");
  });

  it.each([
    [{ type: "player" }, 400, /^name: is required$/],
    [{ name: "x" }, 400, /^type: is required$/],
    [{ name: "x", type: "Not A Word" }, 400, /^type: /],
    [{ name: "a\u0000", type: "player" }, 400, /^name: /],
    [{ name: "x", type: "player", site: "01920000-0000-7000-8000-00000000dead" }, 404, /^site '/],
    [{ device_id: "01920000-0000-7000-8000-00000000dead" }, 404, /^device '/],
    [{ device_id: "01920000-0000-7000-8000-00000000dead", name: "x" }, 400, /^name: must be absent/],
  ])("are refused for %j with %i", async (payload, status, why) => {
    await start();
    const refused = await newCode(payload);
    expect(refused.statusCode).toBe(status);
    expect(refused.json().detail).toMatch(why);
  });

  it("are created by administrators and responders only", async () => {
    await start();
    expect((await newCode({ name: "a", type: "player" }, "responder")).statusCode).toBe(201);
    for (const role of ["manager", "tier3", "tier1", "detection", "auditor", "agent"]) {
      expect((await newCode({ name: "b", type: "player" }, role)).statusCode).toBe(403);
    }
  });

  it("are previewed without a code in dry_run", async () => {
    await start({ mode: "dry_run" });
    const answered = await newCode({ name: "player-1", type: "player" });
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toMatchObject({ dry_run: true, preview: { name: "player-1" } });
    expect(answered.json().preview).not.toHaveProperty("code");
    expect(await world.platform.db.selectFrom("enrolment_codes").selectAll().execute()).toEqual([]);
  });

  it("are refused when used, expired or wrong, and stay valid after a bad request", async () => {
    const clock = createFakeClock(new Date("2026-11-16T12:00:00Z"));
    const { feature } = await start({ clock });
    const { csr } = await makeRequest();
    const { code } = (await newCode({ name: "player-1", type: "player" })).json();
    await expect(feature.services.enrolment.enrol({ code, csr: "nonsense" })).rejects.toThrow(/^csr: /);
    await feature.services.enrolment.enrol({ code: ` ${code.toUpperCase()} `, csr });
    const { csr: other } = await makeRequest();
    await expect(feature.services.enrolment.enrol({ code, csr: other })).rejects.toThrow(REFUSED_CODE);
    const { code: second } = (await newCode({ name: "player-2", type: "player" })).json();
    await clock.advance(15 * MINUTE_MS);
    await expect(feature.services.enrolment.enrol({ code: second, csr: other })).rejects.toThrow(REFUSED_CODE);
    await expect(feature.services.enrolment.enrol({ code: "0".repeat(32), csr: other })).rejects.toThrow(REFUSED_CODE);
  });

  it("do not enrol the key of another device or a second device with the same name", async () => {
    const { feature } = await start();
    const { csr } = await makeRequest();
    const first = (await newCode({ name: "player-1", type: "player" })).json();
    const double = (await newCode({ name: "PLAYER-1", type: "player" })).json();
    const other = (await newCode({ name: "player-2", type: "player" })).json();
    await feature.services.enrolment.enrol({ code: first.code, csr });
    await expect(feature.services.enrolment.enrol({ code: other.code, csr })).rejects.toThrow(
      /^csr: its key belongs to another/,
    );
    const fresh = await makeRequest();
    await expect(feature.services.enrolment.enrol({ code: double.code, csr: fresh.csr })).rejects.toThrow(
      /^name: device 'PLAYER-1' is already enrolled$/,
    );
    await feature.services.enrolment.enrol({ code: other.code, csr: fresh.csr });
  });

  it("issue a new certificate to a known device and revoke the previous one", async () => {
    const { feature, enrol } = await start();
    const { id } = await enrol("player-1");
    const { code } = (await newCode({ device_id: id })).json();
    const { csr } = await makeRequest();
    expect(await feature.services.enrolment.enrol({ code, csr })).toMatchObject({ device_id: id });
    const rows = await stored();
    expect(rows.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(1);
    expect(rows).toHaveLength(2);
  });
});

/** Sends a request to the device server, optionally with the certificate of a device. */
async function call(port: number, path: string, body: object, pair: { cert?: string; key?: string } = {}) {
  const { certificate: ca } = await world.authority();
  const headers = { "content-type": "application/json" };
  const asked = request({ host: "127.0.0.1", port, path, method: "POST", ca, headers, agent: false, ...pair });
  asked.end(JSON.stringify(body));
  const [answer] = await once(asked, "response");
  return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
}

async function startServer() {
  const port = await freePort();
  await start({ server: { host: "127.0.0.1", port } });
  const [server] = world.feature.registrations.serving;
  await server?.start();
  return { port, close: () => server?.close() };
}

describe("device server", () => {
  it("enrols with a code and renews with the device's certificate, over TLS 1.3 only", async () => {
    const { port, close } = await startServer();
    const { code } = (await newCode({ name: "player-1", type: "player" })).json();
    const { csr, key } = await makeRequest();
    const enrolled = await call(port, "/enrol", { code, csr });
    expect(enrolled).toMatchObject({
      status: 201,
      body: { authority: (await world.authority()).certificate, broker: null },
    });
    const { device_id, certificate: cert } = enrolled.body;
    const renewed = await call(port, "/renew", { csr }, { cert, key });
    expect(renewed).toMatchObject({ status: 201, body: { device_id } });
    expect(renewed.body.certificate).not.toBe(cert);
    expect(await call(port, "/enrol", { code, csr })).toEqual({ status: 401, body: { detail: REFUSED_CODE } });
    expect(await call(port, "/devices-ca.pem", {})).toMatchObject({ status: 404 });
    await expect(call(port, "/renew", { csr }, { cert, key, maxVersion: "TLSv1.2" } as object)).rejects.toThrow(
      /alert/,
    );
    await close();
  });

  it("sends the authority with its certificate, so that a new device can check the fingerprint", async () => {
    const { port, close } = await startServer();
    const { fingerprint } = await world.authority();
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { issuerCertificate } = socket.getPeerCertificate(true);
    expect(issuerCertificate.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(fingerprint);
    socket.destroy();
    await close();
  });

  it("refuses renewal without a certificate and with a foreign, a platform's or a revoked one", async () => {
    const { port, close } = await startServer();
    const { csr } = await makeRequest();
    const refused = { status: 401, body: { detail: REFUSED_CERTIFICATE } };
    expect(await call(port, "/renew", { csr })).toEqual(refused);
    const { issueForClient, issueForServer } = await world.authority();
    expect(await call(port, "/renew", { csr }, await issueForClient("soc-control-0", MINUTE_MS))).toEqual(refused);
    expect(await call(port, "/renew", { csr }, await issueForServer(["localhost"], MINUTE_MS))).toEqual(refused);
    const device = await world.enrol("player-1");
    await world.app.inject({ method: "POST", url: `/api/v1/cps/devices/${device.id}/revoke` });
    expect(await call(port, "/renew", { csr }, device)).toEqual(refused);
    const own = world;
    const foreign = await devicesWorld();
    const stranger = await foreign.enrol("player-1");
    await foreign.close();
    world = own;
    expect(await call(port, "/renew", { csr }, stranger)).toEqual(refused);
    await close();
  });

  it("answers a hostile body with 400 or 413", async () => {
    const { port, close } = await startServer();
    expect(await call(port, "/enrol", { code: "x" })).toMatchObject({
      status: 400,
      body: { detail: "csr: is required" },
    });
    expect(await call(port, "/enrol", { code: "x", csr: "y".repeat(5000) })).toMatchObject({ status: 400 });
    const big = await call(port, "/enrol", { code: "x".repeat(20_000), csr: "y" });
    expect([400, 413]).toContain(big.status);
    await close();
  });
});

describe("certificate renewal", () => {
  it("refuses an expired certificate and more than ten valid ones", async () => {
    const clock = createFakeClock(new Date());
    const { feature, enrol } = await start({ clock });
    const { id } = await enrol("player-1");
    const [{ fingerprint = "" } = {}] = await stored();
    const { csr } = await makeRequest();
    for (let turn = 0; turn < 9; turn += 1) await feature.services.enrolment.renew(fingerprint, csr);
    await expect(feature.services.enrolment.renew(fingerprint, csr)).rejects.toThrow(
      "a device has at most 10 valid certificates",
    );
    await clock.advance(24 * 60 * MINUTE_MS);
    await expect(feature.services.enrolment.renew(fingerprint, csr)).rejects.toThrow(REFUSED_CERTIFICATE);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("leaves no valid certificate when it races with a revocation", async () => {
    const { feature, app, enrol } = await start();
    for (let race = 0; race < 10; race += 1) {
      const { id } = await enrol(`player-${race}`);
      const own = (await stored()).find(({ device_id }) => device_id === id);
      const { csr } = await makeRequest();
      await Promise.allSettled([
        feature.services.enrolment.renew(own?.fingerprint ?? "", csr),
        app.inject({ method: "POST", url: `/api/v1/cps/devices/${id}/revoke` }),
        feature.services.enrolment.renew(own?.fingerprint ?? "", csr),
      ]);
    }
    expect((await stored()).filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
  });

  it("does not run while the database is unavailable or in dummy mode", async () => {
    const { feature } = await start({ mode: "dummy", database: "none" });
    await expect(feature.services.enrolment.renew("x", "y")).rejects.toThrow("Runtime mode 'dummy' blocks this change");
    await world.close();
    await start({ mode: "real", database: "none" });
    await expect(world.feature.services.enrolment.enrol({ code: "x", csr: "y" })).rejects.toThrow(
      "the database is unavailable",
    );
  });
});
