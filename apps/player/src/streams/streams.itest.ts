import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { Readable } from "node:stream";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { reachOf } from "@kit/guard/address";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Icecast, startIcecast, startSource } from "../../testing/icecast.ts";
import type { StreamEvent } from "./stream.ts";
import { createStreamsService } from "./streams.service.ts";

const clock = createClock();
const isFull = process.env.PROVE === "full";
// 127.0.0.1 counts as a public address; all other rules are the real ones.
const guard = createOutboundGuard({
  resolve: async (name) => (name === "inside.example" ? ["10.0.0.1"] : ["127.0.0.1"]),
  ownAddresses: () => [],
  classify: (address) => (address === "127.0.0.1" ? "public" : reachOf(address)),
});
const streams = createStreamsService({
  guard,
  clock,
  ids: createIds(clock),
  log: silentLog,
  policy: () => ({ allowPrivate: false }),
  retryMinutes: () => 30,
});

let icecast: Icecast;
beforeAll(async () => {
  icecast = await startIcecast();
  await streams.start();
});
afterAll(async () => {
  await streams.close();
  await icecast.stop();
});

/** Opens a stream for the duration of a test and records its events with their times. */
function open(url: string) {
  const emitted: (StreamEvent & { atMs: number })[] = [];
  const stream = streams.open({ url, isSaved: false }, (event) =>
    emitted.push({ ...event, atMs: clock.monotonicMs() }),
  );
  onTestFinished(() => stream.close());
  const types = () => emitted.map(({ type }) => type);
  const titles = () => emitted.flatMap((event) => (event.type === "title" ? event.title : []));
  const locations = () => emitted.flatMap((event) => (event.type === "ready" ? event.location : []));
  const until = (type: StreamEvent["type"], count = 1) =>
    expect.poll(() => types().filter((each) => each === type).length, { timeout: 20_000 }).toBe(count);
  return { stream, emitted, types, titles, locations, until };
}

async function fetchAudio(location: string, sizeBytes: number): Promise<Buffer> {
  const { body } = await fetch(location);
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= sizeBytes) break;
  }
  return Buffer.concat(chunks);
}

/** The distances between MPEG frames; a foreign byte between them breaks the chain. */
function frameLengths(audio: Buffer): number[] {
  const lengths: number[] = [];
  let start = audio.indexOf(Buffer.from("fffb", "hex"));
  // 128 kbit/s at 44.1 kHz: 417 bytes, and one more when the padding bit is set.
  for (let length = 0; start + 4 <= audio.length; start += length) {
    if (audio.readUInt16BE(start) >> 1 !== 0xfffb >> 1) return [...lengths, Number.NaN];
    length = 417 + ((audio.readUInt8(start + 2) >> 1) & 1);
    lengths.push(length);
  }
  return lengths;
}

describe("a station on Icecast", () => {
  it("plays without the titles that are mixed into it, and emits them", async () => {
    const source = await startSource({ icecast, mount: "/titles", title: "سورة الكهف" });
    onTestFinished(() => source.stop());
    const { until, titles, types, locations } = open(source.url);
    await until("ready");
    const playing = fetchAudio(locations()[0] ?? "", 100_000);
    await expect.poll(titles, { timeout: 10_000 }).toEqual(["سورة الكهف"]);
    await source.setTitle("It's Qur'an; 'live'");
    await expect.poll(titles, { timeout: 10_000 }).toEqual(["سورة الكهف", "It's Qur'an; 'live'"]);
    const lengths = frameLengths(await playing);
    expect(lengths.length).toBeGreaterThan(200);
    expect(new Set(lengths)).toEqual(new Set([417, 418]));
    expect(types().slice(0, 2)).toEqual(["connected", "ready"]);
  });

  it("reconnects after its source was gone, and the engine keeps its load", async () => {
    const first = await startSource({ icecast, mount: "/gone" });
    const { until, emitted, types, locations } = open(first.url);
    await until("ready");
    const engine = await playInMpv(locations()[0] ?? "");
    await engine.untilPlayed(2);
    await first.stop();
    await until("waiting", 2);
    expect(emitted).toMatchObject([
      { type: "connected" },
      { type: "ready" },
      { type: "waiting", retryInMs: 1000 },
      { type: "waiting", retryInMs: 2000 },
    ]);
    const second = await startSource({ icecast, mount: "/gone" });
    onTestFinished(() => second.stop());
    await until("connected", 2);
    const playedSeconds = engine.playedSeconds();
    await engine.untilPlayed(playedSeconds + 3);
    expect(types().filter((type) => type === "ready")).toHaveLength(1);
  });

  it.runIf(isFull)("counts as broken after 8 s of silence on an open connection", async () => {
    const source = await startSource({ icecast, mount: "/silent" });
    onTestFinished(() => source.stop());
    const proxy = await startFaultProxy(icecast.port);
    onTestFinished(() => proxy.close());
    const { until, emitted, locations } = open(`http://radio.example:${proxy.port}/silent`);
    await until("ready");
    void fetchAudio(locations()[0] ?? "", Number.POSITIVE_INFINITY);
    await clock.sleep(1000);
    proxy.stall();
    const stalledMs = clock.monotonicMs();
    await until("waiting");
    const missedAfterMs = (emitted.at(-1)?.atMs ?? 0) - stalledMs;
    expect(missedAfterMs).toBeGreaterThan(7500);
    expect(missedAfterMs).toBeLessThan(10_000);
    proxy.heal();
    await until("connected", 2);
  });

  it("a station on Icecast is loaded again when the engine has disconnected", async () => {
    const source = await startSource({ icecast, mount: "/left" });
    onTestFinished(() => source.stop());
    const { until, locations, types } = open(source.url);
    await until("ready");
    await fetchAudio(locations()[0] ?? "", 1);
    await until("ready", 2);
    expect(types().filter((type) => type !== "title")).toEqual(["connected", "ready", "waiting", "connected", "ready"]);
    expect(new Set(locations()).size).toBe(2);
    expect(frameLengths(await fetchAudio(locations()[1] ?? "", 10_000)).length).toBeGreaterThan(20);
  });
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://radio.example:${portOf(server)}`;
}

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  if (typeof address !== "object" || address === null || !("port" in address)) throw new Error("no port");
  return Number(address.port);
}

describe("other servers", () => {
  it("other servers play through a playlist and a redirect", async () => {
    const source = await startSource({ icecast, mount: "/listed" });
    onTestFinished(() => source.stop());
    const url = await serve((request, response) => {
      if (request.url === "/list.pls") {
        response.writeHead(200, { "content-type": "audio/x-scpls" }).end("[playlist]\nFile1=/moved\n");
      } else response.writeHead(302, { location: source.url }).end();
    });
    const { until } = open(`${url}/list.pls`);
    await until("ready");
  });

  it("other servers play when they use SHOUTcast 1", async () => {
    const audio = Buffer.alloc(4000, "\xff\xfb\x90\0");
    const title = Buffer.from("\x01StreamTitle='A';");
    const server = createTcpServer((socket) => {
      socket.write("ICY 200 OK\r\nicy-metaint:4000\r\ncontent-type:audio/mpeg\r\n\r\n");
      socket.write(Buffer.concat([audio, title]));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { until, titles } = open(`http://radio.example:${portOf(server)}/`);
    await until("ready");
    await expect.poll(titles).toEqual(["A"]);
  });

  const SETTING = "; the setting allow_private_streams also allows a private one";
  it.each([
    ["http://10.0.0.1/", `url: redirect: must lead to a public address${SETTING}`],
    ["http://inside.example/", `url: must lead to a public address${SETTING}`],
    ["http://127.0.0.2/", `url: redirect: must lead to a public address${SETTING}`],
    ["http://[::1]/", `url: redirect: must lead to a public address${SETTING}`],
    ["http://2130706434/", `url: redirect: must lead to a public address${SETTING}`],
    ["file:///etc/passwd", "url: redirect: must start with http:// or https:// and a host"],
  ])("other servers are refused when they redirect to %s", async (location, message) => {
    const { emitted, until } = open(await serve((_request, response) => response.writeHead(302, { location }).end()));
    await until("failed");
    expect(emitted).toMatchObject([{ type: "failed", problem: { message } }]);
  });

  it("other servers are refused when their playlist leads to a private name", async () => {
    const url = await serve((_request, response) => response.end("#EXTM3U\nhttp://inside.example/live\n"));
    const { emitted, until } = open(url);
    await until("failed");
    expect(emitted).toMatchObject([{ problem: { message: `url: playlist: must lead to a public address${SETTING}` } }]);
  });

  it.runIf(isFull)("are read no faster than the engine reads, and do not count as broken in the meantime", async () => {
    let sentBytes = 0;
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      const endless = new Readable({
        read() {
          sentBytes += 65_536;
          this.push(Buffer.alloc(65_536));
        },
      });
      endless.pipe(response);
    });
    const { until, types, locations } = open(url);
    await until("ready");
    await clock.sleep(1000);
    const heldBytes = sentBytes;
    await clock.sleep(8500);
    expect(types()).toEqual(["connected", "ready"]);
    // The relay's buffer, and the kernel's buffers of a loopback connection.
    expect(heldBytes).toBeLessThan(16 * 1024 * 1024);
    expect(sentBytes).toBe(heldBytes);
    expect((await fetchAudio(locations()[0] ?? "", 2 * heldBytes)).length).toBeGreaterThan(heldBytes);
  });
});

/** The device's engine, in real time but without a sound card. */
async function playInMpv(location: string) {
  const mpv = await startProcess({
    command: "mpv",
    args: ["--no-config", "--ao=null", "--video=no", `--term-status-msg=at=${"$"}{=time-pos}\\n`, location],
    readyWhen: /at=\d/,
  });
  onTestFinished(() => void mpv.stop());
  const playedSeconds = () => Number(/at=([\d.]+)\D*$/.exec(mpv.output())?.[1] ?? 0);
  return {
    playedSeconds,
    untilPlayed: (seconds: number) => expect.poll(playedSeconds, { timeout: 20_000 }).toBeGreaterThan(seconds),
  };
}
