import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIcyReader, parseInterval, parseTitle } from "./icy.ts";

/** As a server mixes it: the interval of audio, the length in units of 16 bytes, the metadata padded with zeros. */
function block(metadata: string | Buffer): Buffer {
  const bytes = Buffer.from(metadata);
  const units = Math.ceil(bytes.length / 16);
  return Buffer.concat([Buffer.of(units), bytes, Buffer.alloc(units * 16 - bytes.length)]);
}

function read(interval: number | undefined, chunks: readonly Buffer[]) {
  const reader = createIcyReader(interval);
  const parts = chunks.map(reader);
  return {
    audio: Buffer.concat(parts.map(({ audio }) => audio)).toString("latin1"),
    titles: parts.flatMap(({ titles }) => titles),
  };
}

describe("reader", () => {
  it("removes titles from the audio", () => {
    const stream = Buffer.concat([
      Buffer.from("abcd"),
      block("StreamTitle='Al-Fatiha';StreamUrl='';"),
      Buffer.from("efgh"),
      block(""),
      Buffer.from("ijkl"),
      block("StreamTitle='Al-Baqara';"),
      Buffer.from("mn"),
    ]);
    expect(read(4, [stream])).toEqual({ audio: "abcdefghijklmn", titles: ["Al-Fatiha", "Al-Baqara"] });
  });

  it("passes everything through when the server sends no metadata", () => {
    expect(read(undefined, [Buffer.from("abcd\x01"), Buffer.from("ef")])).toEqual({ audio: "abcd\x01ef", titles: [] });
  });

  it("returns the same audio and titles, however the stream is split", () => {
    const metadata = fc.oneof(
      fc.constant(""),
      fc.constantFrom("StreamTitle='one';", "StreamTitle='two';StreamUrl='x';", "StreamUrl='none';"),
      fc.integer({ min: 1, max: 255 }).map((units) => `StreamTitle='${"t".repeat(units * 16 - 15)}';`),
    );
    const rounds = fc.array(metadata, { maxLength: 6 });
    const cuts = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), rounds, cuts, fc.nat(300), (interval, blocks, sizes, last) => {
        const audio = Buffer.from(
          Array.from({ length: blocks.length * interval + (last % interval) }, (_, i) => i * 7),
        );
        const mixed = blocks.flatMap((each, round) => [
          audio.subarray(round * interval, (round + 1) * interval),
          block(each),
        ]);
        const whole = Buffer.concat([...mixed, audio.subarray(blocks.length * interval)]);
        const chunks: Buffer[] = [];
        for (let start = 0, i = 0; start < whole.length; i += 1) {
          const size = Math.max(1, sizes[i % sizes.length] ?? 1);
          chunks.push(whole.subarray(start, start + size));
          start += size;
        }
        const titles = blocks.flatMap((each) => /^StreamTitle='([^']+)'/.exec(each)?.[1]?.slice(0, 200) ?? []);
        expect(read(interval, chunks)).toEqual({ audio: audio.toString("latin1"), titles });
      }),
      { numRuns: 500 },
    );
  });
});

describe("title", () => {
  it.each([
    ["a plain one", "StreamTitle='Surah Maryam';", "Surah Maryam"],
    ["one before other fields", "StreamTitle='A - B';StreamUrl='http://x.example/';", "A - B"],
    ["one behind other fields", "StreamUrl='x';StreamTitle='A';", "A"],
    ["one with a quote", "StreamTitle='Qur'an';StreamUrl='';", "Qur'an"],
    [
      "one with quotes and semicolons",
      "StreamTitle='It's 'this'; and 'that';';StreamUrl='';",
      "It's 'this'; and 'that';",
    ],
    ["one without the last semicolon", "StreamTitle='A'", "A"],
    ["an empty one", "StreamTitle='';", ""],
    ["Arabic", "StreamTitle='سورة مريم';", "سورة مريم"],
    ["one over several lines", "StreamTitle='A\r\nB\u0000C\u001b[1m\u0085';", "ABC[1m"],
    ["spaces around", "StreamTitle='  A  ';", "A"],
    ["no title", "StreamUrl='http://x.example/';", undefined],
    ["a title that never ends", "StreamTitle='A", undefined],
    ["nothing", "", undefined],
  ])("parses %s", (_what, metadata, title) => {
    expect(parseTitle(Buffer.concat([Buffer.from(metadata), Buffer.alloc(5)]))).toBe(title);
  });

  it("decodes Latin-1 when it is not UTF-8", () => {
    expect(parseTitle(Buffer.from("StreamTitle='Beyoncé';", "latin1"))).toBe("Beyoncé");
  });

  it("is truncated after 200 characters, not within one", () => {
    expect(parseTitle(Buffer.from(`StreamTitle='${"🕌".repeat(201)}';`))).toBe("🕌".repeat(200));
  });
});

it.each([
  ["16000", 16_000],
  ["1", 1],
  ["0", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["9999999999", undefined],
  [["8192", "8192"], undefined],
  [undefined, undefined],
])("parses the interval %j as %s", (header, interval) => {
  expect(parseInterval(header)).toBe(interval);
});
