import { once } from "node:events";
import { request } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { freePort } from "@kit/testing/process";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AccessPoint } from "../settings/setup-network.ts";
import { createPortalService } from "./portal.service.ts";

const OPEN: AccessPoint = { ssid: "Manara set-up", address: "127.0.0.1" };
/** The probes of Apple, Android, Windows and Firefox, and what each must read in a network with internet. */
const PROBES = [
  ["captive.apple.com", "/hotspot-detect.html", 200, /<BODY>Success<\/BODY>/],
  ["www.apple.com", "/library/test/success.html", 200, /<BODY>Success<\/BODY>/],
  ["connectivitycheck.gstatic.com", "/generate_204", 204, /^$/],
  ["www.google.com", "/gen_204", 204, /^$/],
  ["www.msftconnecttest.com", "/connecttest.txt", 200, /^Microsoft Connect Test$/],
  ["www.msftncsi.com", "/ncsi.txt", 200, /^Microsoft NCSI$/],
  ["detectportal.firefox.com", "/success.txt?ipv4", 200, /^success\n$/],
  ["detectportal.firefox.com", "/canonical.html", 200, /support\.mozilla\.org\/kb\/captive-portal/],
] as const;

async function setUp({ isOpen = true, clock = createFakeClock() } = {}) {
  const listeners = new Set<() => void>();
  let current = isOpen ? OPEN : undefined;
  const port = await freePort();
  const portal = createPortalService({
    accessPoint: () => current,
    onAccessPoint: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    port,
    toDashboardUrl: (address) => `https://${address}:8443/`,
    clock,
    log: silentLog,
  });
  onTestFinished(() => portal.close());
  const become = (next: AccessPoint | undefined) => {
    current = next;
    for (const listener of listeners) listener();
  };

  async function ask(host: string, path: string, options: { method?: string; language?: string } = {}) {
    const { method = "GET", language = "en" } = options;
    const asking = request({ port, path, method, headers: { host, "accept-language": language } });
    asking.end();
    const [response] = await once(asking, "response");
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  const own = `127.0.0.1:${port}`;
  const isServed = () =>
    ask(own, "/").then(
      ({ status }) => status === 200,
      () => false,
    );
  if (isOpen) {
    become(current);
    await expect.poll(isServed).toBe(true);
  }
  return { portal, clock, port, own, ask, become, isServed };
}

/** Returns the raw response, for clients that do not speak clean HTTP. */
async function send(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

describe("the pages of the set-up network", () => {
  it("exist only while it is open", async () => {
    const { isServed, become } = await setUp();
    become(undefined);
    await expect.poll(isServed).toBe(false);
    become(OPEN);
    await expect.poll(isServed).toBe(true);
  });

  it.each(PROBES)("the pages of the set-up network open the sheet of a phone that asks %s%s", async (host, path) => {
    const { ask, port } = await setUp();
    const { status, headers } = await ask(host, path);
    expect([status, headers.location]).toEqual([302, `http://127.0.0.1:${port}/`]);
  });

  it.each(PROBES)(
    "the pages of the set-up network let the phone of a person who continued stay in the network (%s%s)",
    async (host, path, code, body) => {
      const { ask, own } = await setUp();
      expect((await ask(own, "/start")).body).toContain('href="https://127.0.0.1:8443/"');
      const answered = await ask(host, path);
      expect(answered.status).toBe(code);
      expect(answered.body).toMatch(body);
      expect((await ask("news.example", "/")).status).toBe(302);
    },
  );

  it.each([
    ["en-GB,ar;q=0.5", "ltr", "You are connected to the player"],
    ["ar-EG,en;q=0.5", "rtl", "هاتفك متصل الآن بالمشغّل"],
    ["tr", "ltr", "You are connected to the player"],
  ])("the pages of the set-up network are in the language of the phone (%s)", async (language, direction, words) => {
    const { ask, own } = await setUp();
    const { body, headers } = await ask(own, "/", { language });
    expect(body).toContain(`dir="${direction}"`);
    expect(body).toContain(words);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it.each([
    ["a path that does not exist", "GET", "/api/settings", 404],
    ["a change", "POST", "/", 405],
  ])("the pages of the set-up network refuse %s", async (_what, method, path, status) => {
    const { ask, own } = await setUp();
    expect((await ask(own, path, { method })).status).toBe(status);
  });

  it.each([
    ["no host", "GET / HTTP/1.1\r\n\r\n"],
    ["an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"],
    ["two hosts", "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n"],
    ["a host with a path", "GET / HTTP/1.1\r\nHost: a.example/<script>\r\n\r\n"],
    ["a path that is none", "GET // HTTP/1.1\r\nHost: a.example\r\n\r\n"],
  ])("the pages of the set-up network refuse a request with %s", async (_what, bytes) => {
    const { port } = await setUp();
    expect(await send(port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it("the pages of the set-up network repeat nothing of a request", async () => {
    const { ask } = await setUp();
    const { headers, body } = await ask("evil.example", "/x<script>evil?to=evil.example", { language: "evil" });
    expect(JSON.stringify([headers, body])).not.toContain("evil");
  });

  it("the pages of the set-up network answer a phone while others hold every connection", async () => {
    const { port, isServed } = await setUp();
    const sockets: Socket[] = Array.from({ length: 100 }, () =>
      connect(port, "127.0.0.1").on("error", () => undefined),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // Silent connections are closed after seconds, so a phone that tries again gets its answer.
    await expect.poll(isServed, { timeout: 15_000 }).toBe(true);
  }, 20_000);

  it("the pages of the set-up network count as in use for three minutes after a person has seen one, not after a probe", async () => {
    const { portal, ask, clock, own } = await setUp();
    await clock.advance(10 * 60_000);
    await ask("captive.apple.com", "/hotspot-detect.html");
    expect(portal.isInUse()).toBe(false);
    await ask(own, "/");
    expect(portal.isInUse()).toBe(true);
    await clock.advance(3 * 60_000);
    expect(portal.isInUse()).toBe(false);
  });

  it("the pages of the set-up network are reported while their port is in use, and opened when it is free", async () => {
    const { portal, port, clock, become, isServed } = await setUp({ isOpen: false });
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    become(OPEN);
    const reported = { component: "set-up page", error: `port ${port} is already in use` };
    await expect.poll(() => portal.failure()).toEqual(reported);
    other.close();
    await once(other, "close");
    await clock.advance(5000);
    await expect.poll(isServed).toBe(true);
    expect(portal.failure()).toBeUndefined();
  });
});

it("is silent when the device has no port for it", async () => {
  const portal = createPortalService({
    accessPoint: () => OPEN,
    onAccessPoint: (listener) => {
      listener();
      return () => undefined;
    },
    port: undefined,
    toDashboardUrl: () => "",
    clock: createClock(),
    log: silentLog,
  });
  await portal.close();
  expect(portal.failure()).toBeUndefined();
});
