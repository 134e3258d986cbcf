import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, symlink } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import {
  FORBIDDEN_ADDRESS,
  type LoopbackPlayer,
  PUBLIC_ADDRESS,
  startLoopbackPlayer,
} from "@player/service/testing/loopback-player";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count } from "../counts.ts";
import { type Canary, startCanary } from "./canary.ts";
import { makeCard, makeFile } from "./card.ts";
import { createPlayerClient, type LiveSocket, type PlayerClient, type StartedPlayer, startPlayer } from "./client.ts";
import { findMpv } from "./mpv-processes.ts";

const clock = createClock();
const SEED = 20_261_115;

describe("hostile URLs on the built player", () => {
  let player: StartedPlayer;
  let card: string;
  let outside: string;

  beforeAll(async () => {
    card = await makeCard({ reciters: { Husary: [1, 2, 114] } });
    outside = await mkdtemp(join(tmpdir(), "outside-"));
    await makeFile(join(outside, "001.mp3"), { seconds: 3 });
    await mkdir(join(card, "links"));
    await symlink(join(outside, "001.mp3"), join(card, "links", "001.mp3"));
    await symlink(outside, join(card, "links", "folder"));
    await symlink("/", join(card, "links", "root"));
    await symlink("../Husary/002.mp3", join(card, "links", "002.mp3"));
    player = await startPlayer(card, { PLAYER_LIMITS: "off" });
  });
  afterAll(async () => {
    player.client.close();
    await player.service.stop();
  });

  it("refuses every URL that leads to itself, to its network or to no address, and connects to none of them", async () => {
    const canary = await startCanary("::");
    const urls = hostileUrls(canary.port);
    const passed: string[] = [];
    for (const url of urls) {
      const doors: [string, object][] = [
        ["/api/playback/play", { url }],
        ["/api/radio/stations", { name: "hostile", url }],
        ["/api/favorites", { type: "stream", name: "hostile", url }],
      ];
      for (const [path, body] of doors) {
        const { status, text } = await player.client.post(path, body);
        if (status !== 400 || !/^\{"error":"url: [^"]+"\}$/.test(text))
          passed.push(`${path} ${url}: ${status} ${text}`);
      }
    }
    console.log(`hostile URLs: ${urls.length} through 3 routes, ${passed.length} passed`);
    expect(passed).toEqual([]);
    expect(canary.connections()).toBe(0);
    expect((await player.client.get("/api/playback/status")).body.state).toBe("stopped");
    await canary.close();
  });

  it("opens nothing outside the card, for any path", async () => {
    const mpv = await findMpv(player.service.pid);
    const inherited = await listOpenFiles(mpv);
    const root = await realpath(card);
    const opened = new Set<string>();
    const wrong: string[] = [];
    let played = 0;
    const paths = fc.sample(hostilePath(root, outside), { numRuns: count({ ci: 500, full: 5000 }), seed: SEED });
    for (const path of paths) {
      const { status, text, body } = await player.client.post("/api/playback/play", { path });
      const isRefused = status === 400 && text.startsWith('{"error":"path: ');
      const isOfCard = status === 200 && (await realpath(join(root, body.track))).startsWith(`${root}/`);
      if (!isRefused && !isOfCard) wrong.push(`${path}: ${status} ${text}`);
      played += Number(isOfCard);
      // Long enough for mpv to open it.
      if (isOfCard) await clock.sleep(20);
      for (const file of await listOpenFiles(mpv)) opened.add(file);
    }
    const openedNow = [...opened].filter((file) => !inherited.includes(file));
    console.log(`hostile paths: ${paths.length} sent, ${played} were files of the card, ${openedNow.length} opened`);
    expect(wrong).toEqual([]);
    expect(openedNow.toSorted()).toEqual(["001.mp3", "002.mp3", "114.mp3"].map((name) => join(root, "Husary", name)));
  });
});

function hostileUrls(port: number): string[] {
  const hosts = [
    ...["127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "127.255.255.254", "2130706433", "0x7f000001", "0x7f.0.0.1"],
    ...["0x7f.1", "0177.0.0.1", "017700000001", "0177.0x0.0.01", "0.0.0.0", "0", "１２７.０.０.１", "①②⑦.⓪.⓪.①"],
    ...["127。0。0。1", "%31%32%37.0.0.1", "localhost", "LocalHost", "localhost.", "a.localhost", "ｌｏｃａｌｈｏｓｔ"],
    ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
    ...[
      "[64:ff9b::7f00:1]",
      "[64:ff9b::127.0.0.1]",
      "[2002:7f00:1::]",
      "[2001::7f00:1]",
      "[fe80::1]",
      "[fe80::1%25lo]",
    ],
    ...["[fd00::1]", "[fec0::1]", "[ff02::1]", "[::ffff:10.0.0.1]", "[fd00:ec2::254]", "10.0.0.1", "172.16.0.1"],
    ...["172.31.255.255", "192.168.1.1", "3232235777", "0xc0a80101", "169.254.169.254", "100.64.0.1", "224.0.0.1"],
    ...["255.255.255.255", "192.0.2.1", "198.18.0.1", "168.63.129.16", "printer.local", "router.home.arpa"],
    ...["metadata.google.internal", "user@127.0.0.1", "user:secret@radio.example", "radio.example@127.0.0.1"],
    ...["radio.example.", "-.example", "a..example", "256.256.256.256", "1.2.3.4.5", "[::1", "[::1]x"],
    ...Object.values(networkInterfaces()).flatMap((own = []) => own.map(hostOf)),
  ];
  return [
    ...hosts.flatMap((host) => [`http://${host}:${port}/live`, `https://${host}:${port}/live`]),
    ...["", "/", "live", "127.0.0.1", `127.0.0.1:${port}`, `//127.0.0.1:${port}/`, "http://", "http:///", "http://?"],
    ...[`http:127.0.0.1:${port}/`, `http:/127.0.0.1:${port}/`, `http:///127.0.0.1:${port}/`],
    ...[`http://127.0.0.1:${port}\\@radio.example/`, `http://radio.example\\@127.0.0.1:${port}/`],
    ...["\0", "\t", "\n", "\r", " ", "\u0001", "\u007f", "\u0085", "\u00a0", "\u2028"].flatMap((space) => [
      `http://radio.example/${space}`,
      `http://127.0.0.1${space}:${port}/`,
      `${space}http://127.0.0.1:${port}/`,
    ]),
    "http://radio.example/\r\nHost: 127.0.0.1",
    ...["file:///etc/passwd", "file://127.0.0.1/etc/passwd", "/etc/passwd", "data:audio/mpeg;base64,SUQz"],
    ...["ftp", "rtsp", "rtmp", "gopher", "smb", "tcp", "udp", "mms", "ws", "unix"].map(
      (s) => `${s}://127.0.0.1:${port}/`,
    ),
    ...["fd://0", "hex://524946", "edl:///etc/passwd", "lavf://file:/etc/passwd", "ytdl://x", "archive:///x", "dvd://"],
    ...["concat:http://radio.example/", "crypto:http://radio.example/", "javascript:alert(1)", "http+unix://x/"],
    `http://radio.example/${"a".repeat(1024)}`,
    `http://${"a".repeat(64)}.example/`,
    `http://${"a.".repeat(130)}example/`,
    "http://radio.example:99999/",
  ];
}

function hostOf({ address, family }: { address: string; family: string }): string {
  return family === "IPv6" ? `[${address}]` : address;
}

/** Paths of existing names, names that leave the card, and everything that file systems interpret differently. */
function hostilePath(card: string, outside: string) {
  const name = fc.constantFrom(
    ...["Husary", "001.mp3", "002.mp3", "114.mp3", "links", "folder", "root", "etc", "passwd", "proc", "self", "fd"],
    ...[
      "..",
      ".",
      "",
      "...",
      ".. ",
      "..\0",
      "%2e%2e",
      "%2f",
      "．．",
      "‥",
      "..\\",
      "..;",
      "~",
      "*",
      "$HOME",
      "a".repeat(300),
    ],
    ...["\0", "\n", "\u001b", "\u202e", "\ud800", "CON", "001.mp3\0.txt", "file:", "http:", "-", "--script=x", "é"],
  );
  const start = fc.constantFrom(
    "",
    "/",
    "//",
    "./",
    "../",
    `${card}/`,
    `${card}/../`,
    `${outside}/`,
    "file://",
    "hex://",
  );
  const segments = fc.oneof(
    fc.array(name, { minLength: 1, maxLength: 6 }),
    fc.tuple(fc.constant("Husary"), fc.constantFrom("001.mp3", "002.mp3", "114.mp3")),
    fc.tuple(fc.constant("links"), fc.constantFrom("001.mp3", "002.mp3", "folder/001.mp3", `root${outside}/001.mp3`)),
  );
  return fc.tuple(start, segments).map(([from, names]) => from + names.join("/"));
}

async function listOpenFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  // A file may be closed between being listed and being read.
  const places = await Promise.all((await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => "")));
  return places.filter((place) => place.startsWith("/"));
}

const AFTER_AUDIO = "sends audio first and redirects then";

describe("hostile stream servers", () => {
  const ESCAPES: Record<string, (canary: string, response: ServerResponse, visits: number) => void> = {
    "redirects with 301": (canary, response) => response.writeHead(301, { location: `http://${canary}/` }).end(),
    "redirects with 302": (canary, response) => response.writeHead(302, { location: `http://${canary}/` }).end(),
    "redirects with 307": (canary, response) => response.writeHead(307, { location: `//${canary}/` }).end(),
    "redirects with 308": (canary, response) => response.writeHead(308, { location: `https://${canary}/` }).end(),
    "redirects in hexadecimal": (canary, response) =>
      response.writeHead(302, { location: `http://${canary.replace(FORBIDDEN_ADDRESS, "0x7f000002")}/` }).end(),
    "redirects to a mapped address": (canary, response) =>
      response.writeHead(302, { location: `http://${canary.replace(FORBIDDEN_ADDRESS, "[::ffff:127.0.0.2]")}/` }).end(),
    "redirects to a file": (_canary, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
    "redirects to itself for ever": (_canary, response) => response.writeHead(302, { location: "?again" }).end(),
    "sends an M3U": (canary, response) => playlist(response, "audio/x-mpegurl", `#EXTM3U\nhttp://${canary}/live\n`),
    "sends a bare M3U": (canary, response) => playlist(response, "text/plain", `http://${canary}/live\n`),
    "sends a PLS": (canary, response) =>
      playlist(response, "audio/x-scpls", `[playlist]\nFile1=http://${canary}/live\nNumberOfEntries=1\n`),
    "sends an M3U of files": (_canary, response) =>
      playlist(response, "audio/x-mpegurl", "#EXTM3U\nfile:///etc/passwd\n"),
    "sends HLS": (canary, response) =>
      playlist(
        response,
        "application/vnd.apple.mpegurl",
        `#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\nhttp://${canary}/1.ts\n`,
      ),
    "sends HLS as audio": (canary, response) =>
      playlist(response, "audio/mpeg", `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://${canary}/1.ts\n`),
    "sends a playlist that redirects": (_canary, response) =>
      playlist(response, "audio/x-mpegurl", "#EXTM3U\n/redirects%20with%20302\n"),
    "sends a web page": (canary, response) => playlist(response, "text/html", `<audio src="http://${canary}/">`),
    "sends audio first and redirects then": (canary, response, visits) =>
      visits === 1
        ? response.writeHead(200, { "content-type": "audio/mpeg" }).end(audio)
        : response.writeHead(302, { location: `http://${canary}/` }).end(),
  };

  let audio: Buffer;
  let canary: Canary;
  let server: Server;
  let port: number;
  let player: LoopbackPlayer;
  let client: PlayerClient;
  let socket: LiveSocket;
  const asked = new Map<string, number>();

  beforeAll(async () => {
    const file = join(await mkdtemp(join(tmpdir(), "audio-")), "audio.mp3");
    await makeFile(file, { seconds: 3 });
    audio = await readFile(file);
    canary = await startCanary(FORBIDDEN_ADDRESS);
    port = await freePort();
    server = createServer((request, response) => {
      const what = decodeURIComponent(request.url ?? "").replace(/^\/|\?.*$/g, "");
      const visits = (asked.get(what) ?? 0) + 1;
      asked.set(what, visits);
      ESCAPES[what]?.(`${FORBIDDEN_ADDRESS}:${canary.port}`, response, visits);
    }).listen(port, PUBLIC_ADDRESS);
    const resolved = new Map<string, number>();
    player = await startLoopbackPlayer({
      resolve: async (name) => {
        const times = (resolved.get(name) ?? 0) + 1;
        resolved.set(name, times);
        if (name === "both.example") return [PUBLIC_ADDRESS, FORBIDDEN_ADDRESS];
        return [name === "rebound.example" && times > 1 ? FORBIDDEN_ADDRESS : PUBLIC_ADDRESS];
      },
    });
    client = await createPlayerClient(player);
    socket = await client.socket();
  });
  afterAll(async () => {
    await socket.close();
    client.close();
    await player.close();
    server.closeAllConnections();
    server.close();
    await canary.close();
  });

  async function expectStopped(url: string): Promise<void> {
    expect((await client.post("/api/playback/play", { url })).status).toBe(200);
    const { data } = await socket.next("error", undefined, 10_000);
    expect(data).toEqual({ code: "stream", message: expect.stringMatching(/^url: /) });
    expect((await client.get("/api/playback/status")).body.state).toBe("stopped");
    expect(canary.connections()).toBe(0);
  }

  it("requests a stream again later, but never follows its redirect, when it redirects after sending audio", async () => {
    // A router without internet does the same to a station that played a moment before.
    const url = `http://${PUBLIC_ADDRESS}:${port}/${encodeURIComponent(AFTER_AUDIO)}`;
    expect((await client.post("/api/playback/play", { url })).status).toBe(200);
    await expect.poll(() => asked.get(AFTER_AUDIO), { timeout: 20_000 }).toBeGreaterThan(2);
    const { body } = await client.get("/api/playback/status");
    expect(body).toMatchObject({ mode: "stream", retry_in_s: expect.any(Number) });
    expect(canary.connections()).toBe(0);
    await client.post("/api/playback/stop");
  });

  it.each(Object.keys(ESCAPES).filter((way) => way !== AFTER_AUDIO))("disconnects a stream when it %s", async (way) => {
    await expectStopped(`http://${PUBLIC_ADDRESS}:${port}/${encodeURIComponent(way)}`);
    expect(asked.get(way)).toBeGreaterThan(0);
  });

  it("disconnects a stream when its name resolves to another address at the second lookup", async () => {
    await expectStopped(`http://rebound.example:${canary.port}/live`);
  });

  it("refuses a stream when one of its addresses is forbidden", async () => {
    const { status, body } = await client.post("/api/playback/play", { url: `http://both.example:${canary.port}/` });
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^url: must lead to a public address; /) }]);
    expect(canary.connections()).toBe(0);
  });
});

function playlist(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { "content-type": type }).end(text);
}
