import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createFakeClock } from "@kit/clock/fake";
import { createOutboundGuard, type OutboundAnswer, type OutboundRequest } from "@kit/guard/fetch";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { openAudio } from "./audio-source.ts";

const URL_ = "http://radio.example/live";
const AUDIO = Buffer.alloc(3000, "\xff\xfb\x90\x64\0");
const policy = { schemes: ["http:", "https:"] as const, allowPrivate: false };

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: Buffer | string | Readable;
}

/** A network of these answers, behind the real rules for allowed addresses. */
function network(answers: Readonly<Record<string, Answer>>) {
  const rules = createOutboundGuard({ resolve: async () => ["8.8.8.8"], ownAddresses: () => [] });
  const asked: OutboundRequest[] = [];
  const bodies: Readable[] = [];
  const guard = {
    async open(url: string, options: OutboundRequest): Promise<OutboundAnswer> {
      const place = await rules.check(url, options);
      const { status = 200, headers = {}, body } = answers[url] ?? { status: 404, body: "" };
      const stream = body instanceof Readable ? body : new PassThrough().end(body);
      asked.push(options);
      options.signal?.addEventListener("abort", () => stream.destroy(options.signal?.reason));
      bodies.push(stream);
      return { status, headers, body: stream, url: place };
    },
  };
  const clock = createFakeClock();
  const open = (url = URL_) => openAudio(url, { guard, policy, signal: new AbortController().signal, clock });
  return { open, asked, bodies, clock };
}

const readAudio = async (answers: Readonly<Record<string, Answer>>, url?: string) => {
  const { contentType, hasTitles, parts } = await network(answers).open(url);
  const audio: Buffer[] = [];
  const titles: string[] = [];
  for await (const part of parts) {
    audio.push(part.audio);
    titles.push(...part.titles);
  }
  return { contentType, hasTitles, audio: Buffer.concat(audio), titles };
};

it("requests titles, with 5 s for the connection and 8 s between two bytes", async () => {
  const { open, asked } = network({ [URL_]: { body: AUDIO } });
  await open();
  expect(asked).toMatchObject([
    { field: "url", policy, connectTimeoutMs: 5000, idleTimeoutMs: 8000, headers: { "icy-metadata": "1" } },
  ]);
});

it("returns all of the audio, and the titles that were mixed into it", async () => {
  const title = Buffer.from("\x02StreamTitle='Al-Kahf';".padEnd(33, "\0"));
  const body = Buffer.concat([AUDIO.subarray(0, 1000), title, AUDIO.subarray(1000)]);
  const headers = { "content-type": "audio/mpeg", "icy-metaint": "1000" };
  const mixed = Buffer.concat([body.subarray(0, 2033), Buffer.of(0), body.subarray(2033), Buffer.of(0)]);
  expect(await readAudio({ [URL_]: { headers, body: mixed } })).toEqual({
    contentType: "audio/mpeg",
    hasTitles: true,
    audio: AUDIO,
    titles: ["Al-Kahf"],
  });
});

it("accepts audio of a server that sends no content type", async () => {
  expect(await readAudio({ [URL_]: { body: AUDIO } })).toMatchObject({
    contentType: "application/octet-stream",
    hasTitles: false,
    audio: AUDIO,
  });
});

describe("a playlist", () => {
  it.each([
    ["audio/x-mpegurl", "#EXTM3U\nhttp://a.example/live\n"],
    ["audio/x-scpls", "[playlist]\nFile1=http://a.example/live\n"],
    ["application/pls+xml", "[playlist]\nFile1=http://a.example/live\n"],
    ["text/plain", "http://a.example/live"],
    ["audio/mpeg", "#EXTM3U\nhttp://a.example/live\n"],
  ])("a playlist of type %s leads to the audio", async (type, body) => {
    const live = { headers: { "content-type": "audio/aac" }, body: AUDIO };
    const answers = { [URL_]: { headers: { "content-type": type }, body }, "http://a.example/live": live };
    expect(await readAudio(answers)).toMatchObject({ contentType: "audio/aac", audio: AUDIO });
  });

  it("a playlist is closed before the audio is opened", async () => {
    const list = new PassThrough();
    list.write(`#EXTM3U\nhttp://a.example/live\n${"#\n".repeat(40_000)}`);
    const { open, bodies } = network({ [URL_]: { body: list }, "http://a.example/live": { body: AUDIO } });
    await open();
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, false]);
  });

  it.each([
    ["http://10.0.0.1/live", "url: playlist: must lead to a public address"],
    ["http://127.0.0.1:8000/live", "url: playlist: must lead to a public address"],
    ["http://[::1]/live", "url: playlist: must lead to a public address"],
    ["http://localhost/live", "url: playlist: must lead to a public address"],
    ["http://2130706433/live", "url: playlist: must lead to a public address"],
    ["http://user:secret@a.example/live", "url: playlist: must not contain credentials"],
    ["//169.254.169.254/latest/", "url: playlist: must lead to a public address"],
    ["\\\\192.168.0.1\\live", "url: playlist: must lead to a public address"],
  ])("a playlist that leads to %s is refused permanently", async (entry, message) => {
    const { open, asked } = network({ [URL_]: { body: `#EXTM3U\n${entry}\n` } });
    await expect(open()).rejects.toMatchObject({ kind: "invalid", message });
    expect(asked).toHaveLength(1);
  });

  it("a playlist that leads to another playlist is refused", async () => {
    const { open } = network({
      [URL_]: { body: "#EXTM3U\nhttp://a.example/list\n" },
      "http://a.example/list": { body: "#EXTM3U\nhttp://b.example/live\n" },
    });
    await expect(open()).rejects.toMatchObject({
      kind: "failed",
      message: "url: playlist: leads to another playlist or a text, not to audio",
    });
  });

  it("a playlist with several entries leads to the first one that is audio", async () => {
    const entries = ["http://10.0.0.1/live", "http://gone.example/", "http://page.example/", "http://a.example/live"];
    const { open, asked } = network({
      [URL_]: { body: `#EXTM3U\n${entries.join("\n")}\n` },
      "http://page.example/": { headers: { "content-type": "text/html" }, body: "<html>" },
      "http://a.example/live": { headers: { "content-type": "audio/aac" }, body: AUDIO },
    });
    expect(await open()).toMatchObject({ contentType: "audio/aac" });
    expect(asked).toHaveLength(4);
  });

  it("a playlist with many entries is given up after five of them", async () => {
    const entries = Array.from({ length: 50 }, (_, index) => `http://a.example/${index}`);
    const { open, asked } = network({ [URL_]: { body: `#EXTM3U\n${entries.join("\n")}\n` } });
    await expect(open()).rejects.toMatchObject({ message: "url: playlist: the server answered 404" });
    expect(asked).toHaveLength(1 + 5);
  });

  it("a playlist is read up to 64 KiB", async () => {
    const body = `#EXTM3U\n${"#\n".repeat(40_000)}http://a.example/live\n`;
    await expect(network({ [URL_]: { body } }).open()).rejects.toMatchObject({
      message: "url: leads to a text, not to audio",
    });
  });
});

it.each([
  [
    "a web page",
    { headers: { "content-type": "text/html" }, body: "<html>" },
    "failed",
    /leads to text\/html, not to audio$/,
  ],
  [
    "a web page that claims to be audio",
    { headers: { "content-type": "audio/mpeg" }, body: "<html>" },
    "failed",
    /text, not/,
  ],
  [
    "a script for a decoder",
    { headers: { "content-type": "audio/mpeg" }, body: "ffconcat version 1.0\nfile x" },
    "failed",
    /text/,
  ],
  ["HLS", { body: "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://a.example/1.ts\n" }, "failed", /HLS/],
  [
    "404",
    { status: 404, headers: { "content-type": "text/html" }, body: "no" },
    "unavailable",
    /the server answered 404$/,
  ],
  ["500", { status: 500, body: AUDIO }, "unavailable", /the server answered 500$/],
  ["nothing", { body: "" }, "unavailable", /the server sent nothing$/],
])("refuses %s", async (_what, answer, kind, message) => {
  await expect(network({ [URL_]: answer }).open()).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  });
});

it("reports the reason of a broken connection, before and after its first audio", async () => {
  const broke = new Problem("unavailable", "url: the connection broke");
  const early = new PassThrough();
  early.write("x");
  const opening = network({ [URL_]: { body: early } }).open();
  early.destroy(broke);
  await expect(opening).rejects.toBe(broke);
  const late = new PassThrough();
  late.write(AUDIO);
  const { parts } = await network({ [URL_]: { body: late } }).open();
  const reading = text(Readable.from(parts).map(({ audio }) => audio));
  late.destroy(broke);
  await expect(reading).rejects.toBe(broke);
});

it.each([
  ["the audio", "\0"],
  ["the playlist", "#"],
])("gives up a server that trickles, before %s is complete", async (_what, byte) => {
  const trickle = new PassThrough();
  const { open, clock } = network({ [URL_]: { body: trickle } });
  const opening = expect(open()).rejects.toMatchObject({
    kind: "unavailable",
    message: "url: the server sends too slowly",
  });
  for (let second = 0; second < 20; second += 1) {
    trickle.write(byte);
    await clock.advance(1000);
  }
  await opening;
});

it("gives a server that has sent its first audio all the time it needs", async () => {
  const late = new PassThrough();
  late.write(AUDIO);
  const { open, clock } = network({ [URL_]: { body: late } });
  const { parts } = await open();
  await clock.advance(60_000);
  late.end("more");
  expect((await text(Readable.from(parts).map(({ audio }) => audio))).endsWith("more")).toBe(true);
});
