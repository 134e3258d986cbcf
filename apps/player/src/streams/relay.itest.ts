import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRelay } from "./relay.ts";

const clock = createClock();
const relay = createRelay({ ids: createIds(clock) });
const never = new AbortController().signal;
const ignore = (): unknown => undefined;

beforeAll(() => relay.start());
afterAll(() => relay.close());

/** Audio arrives before its URL is known to a reader. */
async function openWithAudio(onLeave = ignore) {
  const outlet = relay.open("audio/mpeg", onLeave);
  await outlet.write(Buffer.from("first"), never);
  return outlet;
}

async function ask(url: string, method = "GET"): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(request(url, { method, agent: false }).end(), "response");
  if (!response) throw new Error("no answer");
  return response;
}

async function fetchStatus(url: string, method?: string): Promise<number | undefined> {
  const response = await ask(url, method);
  response.resume();
  return response.statusCode;
}

describe("an outlet", () => {
  it("an outlet is on loopback, at a URL that cannot be guessed", () => {
    const places = [relay.open("audio/mpeg", ignore), relay.open("audio/mpeg", ignore)].map(({ location }) => location);
    for (const place of places) expect(place).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/);
    expect(new Set(places).size).toBe(2);
  });

  it("sends everything from the first byte on, with the type, until the end", async () => {
    const outlet = relay.open("audio/aacp", ignore);
    await outlet.write(Buffer.from("before "), never);
    const response = await ask(outlet.location);
    const received = text(response);
    expect(response.headers).toMatchObject({ "content-type": "audio/aacp", connection: "close" });
    await outlet.write(Buffer.from("after"), never);
    await clock.sleep(50);
    outlet.end();
    expect(await received).toBe("before after");
  });

  it("serves one reader, once", async () => {
    const outlet = await openWithAudio();
    await ask(outlet.location);
    expect(await fetchStatus(outlet.location)).toBe(404);
    outlet.end();
    expect(await fetchStatus(outlet.location)).toBe(404);
  });

  it("answers a GET of exactly its URL, and nothing else", async () => {
    const { location } = await openWithAudio();
    const { origin, pathname } = new URL(location);
    for (const path of ["/", `${pathname}/`, `${pathname}?x`, pathname.toUpperCase().concat("x"), "/../etc/passwd"]) {
      expect(await fetchStatus(origin + path), path).toBe(404);
    }
    for (const method of ["HEAD", "POST", "PUT", "OPTIONS"]) expect(await fetchStatus(location, method)).toBe(404);
    expect(await fetchStatus(location)).toBe(200);
  });

  it("an outlet is gone when it ended before a reader connected", async () => {
    const outlet = await openWithAudio();
    outlet.end();
    expect(await fetchStatus(outlet.location)).toBe(404);
  });

  it("buffers at most 1 MiB for a reader that does not read, and stops waiting on abort", async () => {
    const outlet = relay.open("audio/mpeg", ignore);
    const chunk = Buffer.alloc(64 * 1024);
    const giveUp = new AbortController();
    let written = 0;
    const writing = (async () => {
      for (;;) {
        written += chunk.length;
        await outlet.write(chunk, giveUp.signal);
      }
    })();
    await clock.sleep(100);
    expect(written).toBeGreaterThanOrEqual(1024 * 1024);
    expect(written).toBeLessThanOrEqual(1024 * 1024 + 3 * chunk.length);
    giveUp.abort();
    await expect(writing).rejects.toMatchObject({ name: "AbortError" });
  });

  it("continues when a slow reader has made room", async () => {
    const outlet = relay.open("audio/mpeg", ignore);
    const sent = Buffer.alloc(16 * 1024 * 1024, "audio");
    const writing = outlet.write(sent, never);
    const response = await ask(outlet.location);
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    await writing;
    while (chunks.reduce((sum, { length }) => sum + length, 0) < sent.length) await clock.sleep(5);
    outlet.end();
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  });

  it("reports when its reader disconnects, but not when it was ended itself", async () => {
    const left: string[] = [];
    const leaving = await openWithAudio(() => left.push("leaving"));
    const ended = await openWithAudio(() => left.push("ended"));
    const reader = await ask(leaving.location);
    const other = await ask(ended.location);
    ended.end();
    await once(other.resume(), "close");
    reader.destroy();
    await expect.poll(() => left).toEqual(["leaving"]);
  });
});

it("starts and closes twice without an error, and accepts no connection afterwards", async () => {
  const other = createRelay({ ids: createIds(clock) });
  await other.close();
  await other.start();
  await other.start();
  const { location } = other.open("audio/mpeg", ignore);
  await other.close();
  await other.close();
  await expect(ask(location)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
