import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { createOutboundGuard } from "@kit/guard/fetch";
import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import { createStreamsService } from "./streams.service.ts";

function createStreams({ allowPrivate = false, resolve = async (): Promise<readonly string[]> => ["8.8.8.8"] } = {}) {
  const clock = createFakeClock();
  const asked: string[] = [];
  const streams = createStreamsService({
    guard: createOutboundGuard({
      clock,
      ownAddresses: () => ["203.0.113.7", "192.168.1.5"],
      resolve: (name) => {
        asked.push(name);
        return resolve();
      },
    }),
    clock,
    ids: createFakeIds(),
    log: silentLog,
    policy: () => ({ allowPrivate }),
    retryMinutes: () => 30,
  });
  return { streams, clock, asked };
}

// Taken from RFC 6890, RFC 4291, RFC 6052, RFC 6761 and the URL standard's notations of a host.
const HOSTILE: readonly string[] = [
  "http://127.0.0.1/",
  "http://127.0.0.1:8443/api/reset",
  "http://127.1/",
  "http://127.0.1/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0177.0.0.1/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0/",
  "http://0.0.0.0/",
  "http://10.0.0.1/",
  "http://012.0.0.1/",
  "http://167772161/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.1.1/",
  "http://0xc0a80101/",
  "http://192.168.1.5/",
  "http://203.0.113.7/",
  "http://100.64.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://224.0.0.1/",
  "http://239.255.255.250:1900/",
  "http://255.255.255.255/",
  "http://[::1]/",
  "http://[::]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:a00:1]/",
  "http://[::127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[fe80::1]/",
  "http://[fd00::1]/",
  "http://[ff02::1]/",
  "http://localhost/",
  "http://LOCALHOST./",
  "http://radio.localhost/",
  "http://device.local/",
  "http://radio.example./",
  "http://①②⑦.0.0.1/",
  "http://%31%32%37.0.0.1/",
  "http://user@radio.example/",
  "http://user:secret@radio.example/",
  "http://radio.example@127.0.0.1/",
  "http://radio.example/\r\nHost: 127.0.0.1",
  "http://radio.example/a b",
  "http://radio.example/\u0000",
  "http://radio.example\\@127.0.0.1/",
  "http://127.0.0.1\t/",
  "ftp://radio.example/",
  "file:///etc/passwd",
  "rtsp://radio.example/live",
  "data:audio/mpeg;base64,AAAA",
  "javascript:alert(1)",
  "edl://http://127.0.0.1/",
  "//radio.example/live",
  "radio.example/live",
  "http:///live",
  "http://",
  "",
  `http://radio.example/${"a".repeat(1004)}`,
];

describe("check", () => {
  it.each(HOSTILE)("refuses %j, names the field and sends no DNS request", async (url) => {
    const { streams, asked } = createStreams();
    await expect(streams.check("url", url)).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(/^url: must /),
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["the device itself", ["203.0.113.7"]],
    ["a private place among public ones", ["8.8.8.8", "10.0.0.1"]],
    ["an IPv6 place of this link", ["fe80::1"]],
  ])("refuses a name that resolves to %s", async (_what, addresses) => {
    const { streams } = createStreams({ resolve: async () => addresses });
    await expect(streams.check("target.url", "http://radio.example/")).rejects.toMatchObject({
      kind: "invalid",
      message: "target.url: must lead to a public address; the setting allow_private_streams also allows a private one",
    });
  });

  it.each([
    "http://radio.example:8000/;stream.mp3",
    "https://8.8.8.8/live",
    `http://radio.example/${"a".repeat(1003)}`,
  ])("accepts %s", async (url) => {
    await expect(createStreams().streams.check("url", url)).resolves.toBeUndefined();
  });

  it("accepts a private address when that is allowed, but never the device itself", async () => {
    const { streams } = createStreams({ allowPrivate: true });
    await expect(streams.check("url", "http://192.168.1.20:8000/live")).resolves.toBeUndefined();
    await expect(streams.check("url", "http://192.168.1.5/")).rejects.toMatchObject({ kind: "invalid" });
    await expect(streams.check("url", "http://127.0.0.1/")).rejects.toMatchObject({ kind: "invalid" });
  });

  it("accepts a name that cannot be resolved now", async () => {
    const { streams } = createStreams({ resolve: async () => Promise.reject(new Error("ENOTFOUND")) });
    await expect(streams.check("url", "http://radio.example/")).resolves.toBeUndefined();
  });

  it("waits at most 5 s for a name server", async () => {
    const { streams, clock } = createStreams({ resolve: () => new Promise(() => undefined) });
    const checked = streams.check("url", "http://radio.example/");
    await clock.advance(5000);
    await expect(checked).resolves.toBeUndefined();
  });
});

describe("open", () => {
  it.each(HOSTILE.slice(0, 40))("never connects to %j", async (url) => {
    const { streams, clock } = createStreams();
    const emitted: object[] = [];
    streams.open({ url, isSaved: true }, (event) => emitted.push(event));
    await clock.advance(60_000);
    expect(emitted).toMatchObject([{ type: "failed", problem: { kind: "invalid" } }]);
  });

  it("fails when a name resolves to a private address at the second lookup", async () => {
    let answers = 0;
    const resolve = async () => {
      answers += 1;
      if (answers < 3) throw new Error("ENOTFOUND");
      return ["192.168.1.1"];
    };
    const { streams, clock } = createStreams({ resolve });
    const emitted: object[] = [];
    streams.open({ url: "http://rebind.example/", isSaved: false }, (event) => emitted.push(event));
    await clock.advance(0);
    await clock.advance(60_000);
    expect(emitted).toMatchObject([
      { type: "waiting", retryInMs: 1000 },
      { type: "waiting", retryInMs: 2000 },
      {
        type: "failed",
        problem: {
          message: "url: must lead to a public address; the setting allow_private_streams also allows a private one",
        },
      },
    ]);
  });

  it("tries a saved station again while its router answers with an address of its own", async () => {
    const { streams, clock, asked } = createStreams({ resolve: async () => ["192.168.1.1"] });
    const emitted: { type: string }[] = [];
    const stream = streams.open({ url: "http://radio.example/", isSaved: true }, (event) => emitted.push(event));
    await clock.advance(0);
    for (let second = 0; second < 60; second += 1) await clock.advance(1000);
    stream.close();
    expect(new Set(emitted.map(({ type }) => type))).toEqual(new Set(["waiting"]));
    expect(asked.length).toBeGreaterThan(20);
  });

  it("refuses a private address that a saved station names itself", () => {
    const { streams } = createStreams();
    expect(() => streams.checkText("url", "http://192.168.1.20/live")).toThrow(
      "url: must lead to a public address; the setting allow_private_streams also allows a private one",
    );
    expect(() => streams.checkText("url", "http://radio.example/live")).not.toThrow();
  });
});

it("names the setting that allows a station in the own network, while it is off", async () => {
  const rule = "url: must lead to a public address; the setting allow_private_streams also allows a private one";
  const { streams } = createStreams();
  await expect(streams.check("url", "http://192.168.1.10:8000/")).rejects.toThrow(rule);
  expect(() => streams.checkText("url", "http://192.168.1.10:8000/")).toThrow(rule);
  const behind = createStreams({ resolve: async () => ["192.168.1.10"] });
  await expect(behind.streams.check("url", "https://radio.example/")).rejects.toThrow(rule);
  const allowed = createStreams({ allowPrivate: true });
  await expect(allowed.streams.check("url", "http://192.168.1.5/")).rejects.not.toThrow("allow_private_streams");
});
