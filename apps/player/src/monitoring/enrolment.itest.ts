import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { afterEach, describe, expect, it } from "vitest";
import { startMonitoringBench } from "../../testing/monitoring-bench.ts";
import {
  createTestAuthority,
  type PlatformOptions,
  type SecurityPlatform,
  startSecurityPlatform,
} from "../../testing/security-platform.ts";

const WITHIN = { timeout: 20_000 };
const OFF = {
  ...{ state: "off", device_id: null, address: null, certificate_ends_at: null, broker: "none" },
  ...{ last_attested_at: null, last_error: null, events: { waiting: 0, dropped: 0 } },
};
let platforms: SecurityPlatform[] = [];

async function startPlatform(options: PlatformOptions = {}): Promise<SecurityPlatform> {
  const platform = await startSecurityPlatform(options);
  platforms.push(platform);
  return platform;
}

afterEach(async () => {
  for (const platform of platforms) await platform.close();
  platforms = [];
});

describe("a device that is not enrolled", () => {
  it("stores no events, sends nothing, and leaves no trace when removed", async () => {
    const { monitoring, events, boot_failures, status, sent, remove } = await startMonitoringBench();
    boot_failures.push({ component: "audio", error: "mpv is not installed" });
    monitoring.countWrongToken();
    events.emit("ota", { in_progress: false, progress: 0, mode: "idle", status: "failed", error: "x" });
    expect(await status()).toEqual(OFF);
    expect(await sent()).toEqual({ items: [], next_cursor: null, removed: { count: 0, until: null } });
    expect(await remove()).toEqual({ success: true, platform_keeps: null });
  });
});

/** The field, what is wrong with it, and the message. */
const REFUSED: readonly (readonly [field: string, changes: object, message: string | RegExp])[] = [
  ["address", { address: "ftp://platform:1" }, "address: must be host:port of the platform's device server"],
  ["address", { address: "platform" }, "address: must be host:port of the platform's device server"],
  ...["127.0.0.2:1", "localhost:443", "169.254.169.254:443", "[::1]:443", "0.0.0.0:1"].map(
    (address) => ["address", { address }, /^address: must (lead|not|be)/] as const,
  ),
  ["authority_fingerprint", { authority_fingerprint: "12" }, /^authority_fingerprint: must be 64 hex digits/],
  [
    "authority_fingerprint",
    { authority_fingerprint: "ab".repeat(32) },
    "authority_fingerprint: is not of the authority that this platform presents",
  ],
  ["code", { code: "wrong" }, "code: the platform answered 401: code: is unknown, used or expired"],
];

describe("an enrolment", () => {
  it("gets a certificate for a new key, which stays in a file of the owner", async () => {
    const platform = await startPlatform();
    const { enrol, status, sent, dataFolder, database } = await startMonitoringBench();
    const code = platform.newCode();
    const answered = await enrol(platform, { code });
    expect(answered.json()).toMatchObject({ success: true, state: "on", device_id: "device-1", broker: "none" });
    expect(await status()).toMatchObject({ state: "on", address: platform.address, last_error: null });
    const [name = "", ...others] = readdirSync(join(dataFolder, "monitoring"));
    expect(others).toEqual([]);
    const path = join(dataFolder, "monitoring", name);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = readFileSync(path, "utf8");
    expect(key).toContain("PRIVATE KEY");
    const { items } = await sent();
    expect(items).toMatchObject([{ kind: "enrolment", delivered: true }]);
    expect(items[0].bytes).toBe(JSON.stringify(platform.received[0]?.body).length);
    expect(items[0].content).toContain("BEGIN CERTIFICATE REQUEST");
    expect(JSON.stringify(items)).not.toContain(code);
    // Neither the code nor the key is in the database, and the database is what copies are made of.
    database.writeCopy();
    const copy = readFileSync(join(dataFolder, "player.db.copy"));
    expect([copy.includes(code), copy.includes("PRIVATE KEY")]).toEqual([false, false]);
  });

  it.each(REFUSED)("an enrolment is refused with the name of the field %s for %j", async (field, changes, message) => {
    const platform = await startPlatform();
    const { enrol, status, dataFolder } = await startMonitoringBench();
    const refused = await enrol(platform, changes);
    expect([refused.statusCode, refused.headers["problem-field"]]).toEqual([400, field]);
    expect(refused.json().error).toMatch(message);
    expect(await status()).toEqual(OFF);
    expect(readdirSync(dataFolder).includes("monitoring") ? readdirSync(join(dataFolder, "monitoring")) : []).toEqual(
      [],
    );
  });

  it("an enrolment is refused when a server presents the authority and a certificate of another one", async () => {
    const [wanted, other] = [await createTestAuthority(), await createTestAuthority("Other devices")];
    // A man in the middle knows the authority's certificate, which is public, and not its key.
    const { issuePair } = other;
    const platform = await startPlatform({ authority: { ...wanted, issuePair } });
    const { enrol } = await startMonitoringBench();
    const refused = await enrol(platform);
    expect(refused.headers["problem-field"]).toBe("authority_fingerprint");
    expect(platform.received).toEqual([]);
  });

  it("an enrolment is refused when the fingerprint is that of the server instead of its authority", async () => {
    const platform = await startPlatform();
    const { enrol } = await startMonitoringBench();
    const refused = await enrol(platform, { authority_fingerprint: platform.serverFingerprint });
    expect(refused.json().error).toBe("authority_fingerprint: is not of the authority that this platform presents");
    expect(platform.received).toEqual([]);
  });

  it("an enrolment is refused when the certificate of the server is for another name", async () => {
    const platform = await startPlatform({ names: ["platform.example"] });
    const { enrol } = await startMonitoringBench();
    expect((await enrol(platform)).json().error).toBe("address: the certificate of this server is for another name");
    expect(platform.received).toEqual([]);
  });

  it("an enrolment is refused when nothing listens, and while the clock is not set", async () => {
    const platform = await startPlatform();
    await platform.close();
    const { enrol } = await startMonitoringBench();
    expect((await enrol(platform)).json().error).toBe("address: the server cannot be reached");
    const unset = await startMonitoringBench({ time: { now: () => 0, isValid: () => false } });
    expect((await unset.enrol(platform)).json().error).toMatch(/^clock: must be set first/);
  });

  it("an enrolment is not possible twice, and accepts the fingerprint with colons and capitals", async () => {
    const platform = await startPlatform();
    const { enrol } = await startMonitoringBench();
    const pairs = platform.authority.fingerprint.toUpperCase().match(/../g) ?? [];
    expect((await enrol(platform, { authority_fingerprint: pairs.join(":") })).statusCode).toBe(200);
    expect((await enrol(platform)).json().error).toBe("monitoring: is on already; remove it first");
  });

  it("an enrolment does not use up the code when the storage cannot save the key", async () => {
    const platform = await startPlatform();
    const { enrol, database, dataFolder } = await startMonitoringBench();
    database.command("PRAGMA query_only = ON")();
    expect((await enrol(platform)).json()).toEqual({ error: "storage: the device's storage is read-only" });
    expect(platform.received).toEqual([]);
    expect(readdirSync(join(dataFolder, "monitoring"))).toEqual([]);
    database.command("PRAGMA query_only = OFF")();
    expect((await enrol(platform)).statusCode).toBe(200);
  });

  it("survives a restart, and without its key it needs a new code", async () => {
    const platform = await startPlatform();
    const first = await startMonitoringBench();
    await first.enrol(platform);
    const before = await first.status();
    await first.close();
    const { dataFolder } = first;
    const second = await startMonitoringBench({ dataFolder });
    expect(await second.status()).toEqual(before);
    await second.close();
    const [name = ""] = readdirSync(join(dataFolder, "monitoring"));
    writeFileSync(join(dataFolder, "monitoring", name), "broken");
    const third = await startMonitoringBench({ dataFolder });
    expect(await third.status()).toMatchObject({ state: "expired", last_error: expect.stringMatching(/^key: /) });
    expect((await third.enrol(platform)).json()).toMatchObject({
      state: "on",
      device_id: "device-2",
      last_error: null,
    });
  });

  it("expires when the device was off for too long, and a new code helps", async () => {
    const platform = await startPlatform();
    let aheadMs = 0;
    const time = { now: () => Date.now() + aheadMs, isValid: () => true };
    const { enrol, status } = await startMonitoringBench({ time });
    await enrol(platform);
    aheadMs = 25 * 3_600_000;
    expect(await status()).toMatchObject({ state: "expired" });
    aheadMs = 0;
    expect(await status()).toMatchObject({ state: "on" });
    aheadMs = 25 * 3_600_000;
    expect((await enrol(platform)).json()).toMatchObject({ device_id: "device-2" });
  });
});

describe("a removal", () => {
  it("leaves nothing on the device and says what the platform keeps", async () => {
    const platform = await startPlatform();
    const { enrol, remove, status, sent, monitoring, dataFolder } = await startMonitoringBench();
    await enrol(platform);
    expect(await remove()).toEqual({
      success: true,
      platform_keeps: {
        ...{ address: platform.address, device_id: "device-1" },
        messages: { enrolment: 1, renewal: 0, receipt: 0, answer: 0, events: 0 },
      },
    });
    expect(await status()).toEqual(OFF);
    expect((await sent()).items).toEqual([]);
    expect(readdirSync(dataFolder)).not.toContain("monitoring");
    monitoring.countWrongToken();
    expect(platform.received).toHaveLength(1);
  });

  it("a removal by a factory reset sends one last message and leaves nothing either", async () => {
    const platform = await startPlatform();
    const { enrol, status, monitoring, database, dataFolder, sent } = await startMonitoringBench();
    await enrol(platform);
    for (const name of ["enrolment", "sent", "counts"]) database.command(`DELETE FROM monitoring_${name}`)();
    monitoring.erase();
    expect(await status()).toEqual(OFF);
    expect(readdirSync(dataFolder)).not.toContain("monitoring");
    await expect
      .poll(() => platform.listEvents(), WITHIN)
      .toMatchObject([{ type: "reset", details: { kind: "factory" } }]);
    expect(platform.received.at(-1)?.device).toBe("device-1");
    expect((await sent()).items).toEqual([]);
  });
});

describe("a certificate", () => {
  async function startAtNoon() {
    const platform = await startPlatform();
    // The wall clock is real for TLS, and so is the time that an exchange over the network may take. The device looks
    // every minute by a clock that the test moves.
    const clock = { ...createFakeClock(new Date()), deadline: (ms: number) => createClock().deadline(ms) };
    const bench = await startMonitoringBench({ clock });
    await bench.enrol(platform);
    const renewals = () => platform.received.filter(({ path }) => path === "/renew");
    /** Lets the device look once a minute, and the network answer in between. */
    const pass = async (minutes: number, isDone = () => false) => {
      for (let minute = 0; minute < minutes && !isDone(); minute += 1) {
        await clock.advance(60_000);
        await new Promise((resolve) => setTimeout(resolve, minutes > 200 ? 0 : 30));
      }
    };
    return { platform, clock, renewals, pass, ...bench };
  }

  it("a certificate is renewed after half of its life, by the certificate itself", async () => {
    const { renewals, pass, status, sent } = await startAtNoon();
    const { certificate_ends_at } = await status();
    await pass(11 * 60 + 50);
    expect(renewals()).toEqual([]);
    await pass(30, () => renewals().length > 0);
    await expect.poll(renewals, WITHIN).toMatchObject([{ device: "device-1" }]);
    await expect.poll(async () => (await sent()).items[0], WITHIN).toMatchObject({ kind: "renewal", delivered: true });
    expect((await status()).certificate_ends_at).toBeGreaterThanOrEqual(certificate_ends_at);
  });

  it("a certificate is asked for again after a failure, later each time, until it has expired", async () => {
    const { platform, renewals, pass, status } = await startAtNoon();
    platform.refuse("/renew", 503);
    await pass(12 * 60 + 5);
    await pass(60);
    const count = renewals().length;
    expect(count).toBeGreaterThan(1);
    expect(count).toBeLessThan(12);
    await expect.poll(status, WITHIN).toMatchObject({
      state: "waiting",
      last_error: "address: the platform answered 503: refused with 503",
    });
    await pass(12 * 60);
    expect(await status()).toMatchObject({ state: "expired" });
  });

  it("a certificate that the platform refuses is asked for once an hour, and the state says so", async () => {
    const { platform, renewals, pass, status } = await startAtNoon();
    platform.refuse("/renew", 401);
    await pass(12 * 60 + 2);
    await pass(10, () => renewals().length > 0);
    await expect.poll(status, WITHIN).toMatchObject({ state: "refused", last_error: expect.stringMatching(/refuses/) });
    const first = renewals().length;
    await pass(50);
    expect(renewals()).toHaveLength(first);
    platform.refuse("/renew", undefined);
    await pass(30, () => renewals().length > first);
    await expect.poll(status, WITHIN).toMatchObject({ state: "on", last_error: null });
  });
});
