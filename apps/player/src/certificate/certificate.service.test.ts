import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { Agent, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { replaceCertificate } from "@kit/http/server";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTestFrame } from "../../testing/test-frame.ts";
import { certificateRoutes } from "./certificate.routes.ts";
import { openCertificateService } from "./certificate.service.ts";
import { type Certificate, forgetAuthority, openCertificate } from "./certificate.ts";
import { readCertificateFiles } from "./certificate-files.ts";

const HOUR_MS = 3_600_000;

/**
 * Advances the clock by hours until the condition holds: a check reads files, and the next hour begins when it is done.
 */
function withinHours(clock: FakeClock, expectation: () => unknown): Promise<void> {
  const passHour = async () => {
    await clock.advance(HOUR_MS);
    await expectation();
  };
  return vi.waitFor(passHour, { timeout: 5000, interval: 20 });
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function newAuthority(names: () => string[] = () => ["localhost"]) {
  const clock = createFakeClock(new Date("2026-06-01T00:00:00Z"));
  const dataFolder = await mkdtemp(join(tmpdir(), "certificate-"));
  const open = (known: readonly string[] = names(), isClockValid = true) =>
    openCertificate({
      dataFolder,
      clock,
      isClockValid,
      ids: createIds(clock),
      log: silentLog,
      hostname: "manara-1",
      names: known,
    });
  return { clock, open, names, forgetAuthority: () => forgetAuthority({ dataFolder }) };
}

type Authority = Awaited<ReturnType<typeof newAuthority>>;

async function serve({ clock, open, names, forgetAuthority: forget }: Authority) {
  const world = { isClockValid: true };
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const service = await openCertificateService({ open, forgetAuthority: forget, names, clock, log });
  const app = createTestFrame(service.current());
  await app.register(certificateRoutes(service));
  await app.listen({ host: "127.0.0.1", port: 0 });
  closers.push(() => app.close());
  const time = { isValid: () => world.isClockValid };
  void service.keepFresh(time, (renewed) => replaceCertificate(app.server, renewed));
  closers.push(() => service.close());
  const { port } = app.server.address() as AddressInfo;

  async function dial(options = {}): Promise<TLSSocket> {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false, ...options });
    closers.push(() => socket.destroy());
    await once(socket, "secureConnect");
    return socket;
  }
  const seenSerial = async () => (await dial()).getPeerCertificate().serialNumber;
  return { app, port, service, world, warnings, dial, seenSerial };
}

describe("a renewed certificate", () => {
  it("a renewed certificate is used by new connections, while an open connection continues", async () => {
    const authority = await newAuthority();
    const { port, seenSerial } = await serve(authority);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    closers.push(() => agent.destroy());
    const sockets = new Set();
    const ask = async () => {
      const [answer] = await once(get({ port, path: "/ca.crt", agent }), "response");
      sockets.add(answer.socket);
      await text(answer);
      return answer.statusCode;
    };
    expect(await ask()).toBe(200);
    const first = await seenSerial();
    await authority.clock.advance(HOUR_MS);
    expect(await seenSerial()).toBe(first);
    authority.clock.jumpTo(new Date("2027-06-10T00:00:00Z"));
    await withinHours(authority.clock, async () => expect(await seenSerial()).not.toBe(first));
    expect(await ask()).toBe(200);
    expect(sockets.size).toBe(1);
  });

  it("a renewed certificate is issued within seconds when the network assigns a new address to the device", async () => {
    const names = ["localhost"];
    const authority = await newAuthority(() => names);
    const { dial } = await serve(authority);
    const seenNames = async () => {
      await authority.clock.advance(2000);
      return (await dial()).getPeerCertificate().subjectaltname;
    };
    expect(await seenNames()).not.toContain("192.168.4.7");
    names.push("192.168.4.7");
    await expect.poll(seenNames).toContain("192.168.4.7");
    expect(authority.clock.monotonicMs()).toBeLessThan(60_000);
  });

  it("a renewed certificate is issued within seconds when the clock becomes valid", async () => {
    const authority = await newAuthority();
    authority.clock.jumpTo(new Date("2031-01-01T00:00:00Z"));
    const { dial, world } = await serve(authority);
    world.isClockValid = false;
    const seenFrom = async () => {
      await authority.clock.advance(2000);
      return (await dial()).getPeerCertificate().valid_from;
    };
    authority.clock.jumpTo(new Date("2026-06-01T00:00:00Z"));
    for (let look = 0; look < 3; look += 1) expect(await seenFrom()).toMatch(/ 2030 GMT$/);
    world.isClockValid = true;
    await expect.poll(seenFrom).toMatch(/^May 31 00:00:\d\d 2026 GMT$/);
    expect(authority.clock.monotonicMs()).toBeLessThan(60_000);
  });

  it("comes from a new authority after a reset", async () => {
    const authority = await newAuthority();
    const { app, service, seenSerial } = await serve(authority);
    const [first, root] = [await seenSerial(), (await app.inject("/ca.crt")).rawPayload];
    await service.replaceAuthority();
    expect(await seenSerial()).not.toBe(first);
    expect((await app.inject("/ca.crt")).rawPayload.equals(root)).toBe(false);
  });

  it("a renewed certificate does not enable ciphers again that are disabled", async () => {
    const authority = await newAuthority();
    const { app, service, dial } = await serve(authority);
    replaceCertificate(app.server, service.current());
    await expect(dial({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" })).rejects.toThrow();
  });

  it("keeps the current certificate in use when renewal fails, and is tried again", async () => {
    const authority = await newAuthority();
    let fault: Error | undefined;
    const open = async (): Promise<Certificate> => {
      if (fault) throw fault;
      return authority.open();
    };
    const { seenSerial, warnings } = await serve({ ...authority, open });
    const first = await seenSerial();
    fault = new Error("no space left on the device");
    authority.clock.jumpTo(new Date("2027-06-10T00:00:00Z"));
    await withinHours(authority.clock, () => expect(warnings[0]).toEqual({ err: fault }));
    expect(await seenSerial()).toBe(first);
    fault = undefined;
    await withinHours(authority.clock, async () => expect(await seenSerial()).not.toBe(first));
  });
});

describe("GET /ca.crt", () => {
  it("returns the root that signed the certificate in use", async () => {
    const { port, app } = await serve(await newAuthority());
    const answered = await app.inject("/ca.crt");
    expect(answered.statusCode).toBe(200);
    expect(answered.headers["content-type"]).toBe("application/x-x509-ca-cert");
    const body = answered.rawPayload.toString("base64");
    const ca = `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
    const [trusted] = await once(get({ port, host: "localhost", path: "/ca.crt", ca }), "response");
    expect(trusted.statusCode).toBe(200);
    trusted.destroy();
  });

  it("lets the device show the fingerprint for two minutes", async () => {
    const { clock, ...authority } = await newAuthority();
    const { app, service } = await serve({ clock, ...authority });
    expect(service.shownFingerprint()).toBeUndefined();
    const { rawPayload } = await app.inject("/ca.crt");
    expect(service.shownFingerprint()).toBe(createHash("sha256").update(rawPayload).digest("hex"));
    await clock.advance(119_000);
    expect(service.shownFingerprint()).toBeDefined();
    await clock.advance(1000);
    expect(service.shownFingerprint()).toBeUndefined();
  });
});

const OPERATOR = { names: () => ["player.example.com"], forgetAuthority: async () => undefined };

describe("an operator's own certificate", () => {
  async function newFiles() {
    const folder = await mkdtemp(join(tmpdir(), "certificate-files-"));
    const files = { certPath: join(folder, "cert.pem"), keyPath: join(folder, "key.pem") };
    const write = async ({ cert, key }: Certificate) => {
      await writeFile(files.certPath, cert);
      await writeFile(files.keyPath, key);
    };
    const [one, other] = [await (await newAuthority()).open(), await (await newAuthority()).open()];
    await write(one);
    return { files, write, one, other, open: () => readCertificateFiles(files) };
  }

  it("an operator's own certificate is served without the device's own root", async () => {
    const { open, one } = await newFiles();
    const { app, service } = await serve({ ...OPERATOR, clock: createFakeClock(), open });
    expect(service.current().cert).toBe(one.cert);
    const refused = await app.inject("/ca.crt");
    expect([refused.statusCode, refused.json()]).toEqual([404, { error: "path '/ca.crt' does not exist" }]);
  });

  it("an operator's own certificate is read again when its files have changed, but not while key and certificate do not match", async () => {
    const { open, files, write, other } = await newFiles();
    const clock = createFakeClock();
    const { seenSerial, warnings } = await serve({ ...OPERATOR, clock, open });
    const first = await seenSerial();
    await writeFile(files.certPath, other.cert);
    await withinHours(clock, () => expect(warnings[0]).toEqual({ err: expect.any(Problem) }));
    expect(await seenSerial()).toBe(first);
    await write(other);
    await withinHours(clock, async () => expect(await seenSerial()).not.toBe(first));
  });

  it("stops the start and names the variable when it is not usable", async () => {
    const { open, files, other } = await newFiles();
    await writeFile(files.keyPath, other.key);
    await expect(open()).rejects.toThrow(/^PLAYER_TLS_CERT: must be a certificate in PEM, with its key in/);
    await writeFile(files.keyPath, "");
    await expect(open()).rejects.toThrow(/^PLAYER_TLS_CERT: must be a certificate in PEM, with its key in/);
    await expect(readCertificateFiles({ ...files, keyPath: "/nowhere" })).rejects.toThrow(
      /^PLAYER_TLS_KEY: must name a readable file$/,
    );
  });
});
