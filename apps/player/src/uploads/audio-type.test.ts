import { expect, it } from "vitest";
import { detectAudio } from "./audio-type.ts";

/** A frame of MPEG 1, layer III, 128 kbit/s, 44.1 kHz: 417 bytes. */
const frame = () => Buffer.concat([Buffer.from("fffb9000", "hex"), Buffer.alloc(413)]);
const frames = (count: number) => Buffer.concat(Array.from({ length: count }, frame));
/** An ID3v2.4 tag with this many bytes behind its header; each byte of the size has seven bits. */
const tag = (size: number) =>
  Buffer.concat([
    Buffer.from("ID3\x04\x00\x00", "latin1"),
    Buffer.from([(size >> 21) & 0x7f, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f]),
    Buffer.alloc(size),
  ]);
const ogg = (codec: string) => {
  const head = Buffer.alloc(28);
  head.write("OggS");
  head[26] = 1;
  return Buffer.concat([head, Buffer.from(codec, "latin1"), Buffer.alloc(64)]);
};
const named = (mark: string, at = 0) => {
  const bytes = Buffer.alloc(200);
  bytes.write(mark, at, "latin1");
  return bytes;
};

const detect = (bytes: Buffer, wholeBytes = bytes.length) =>
  detectAudio({
    read: async (position, length) => bytes.subarray(position, position + length),
    arrivedBytes: bytes.length,
    isWhole: bytes.length === wholeBytes,
  });

it.each([
  ["MP3 frames", frames(4), ".mp3"],
  ["one short MP3 frame", frame(), ".mp3"],
  ["MP3 frames behind a tag", Buffer.concat([tag(100_000), frames(4)]), ".mp3"],
  ["MP3 frames behind a tag and zeros", Buffer.concat([tag(50), Buffer.alloc(2000), frames(4)]), ".mp3"],
  ["FLAC", named("fLaC"), ".flac"],
  ["FLAC behind a tag", Buffer.concat([tag(50), named("fLaC")]), ".flac"],
  ["Opus", ogg("OpusHead"), ".opus"],
  ["Vorbis", ogg("\x01vorbis"), ".ogg"],
  ["an M4A file", named("ftypM4A ", 4), ".m4a"],
  ["an MPEG-4 file", named("ftypisom", 4), ".m4a"],
  ["a WAV file", Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), Buffer.alloc(100)]), ".wav"],
  ["nothing", Buffer.alloc(0), undefined],
  ["zeros", Buffer.alloc(9000), undefined],
  ["text", Buffer.from("bismillah ".repeat(900)), undefined],
  ["a page of HTML", Buffer.from(`<!doctype html>${" ".repeat(9000)}`), undefined],
  ["a program", named("\x7fELF"), undefined],
  ["a picture", named("\x89PNG"), undefined],
  ["an archive", named("PK\x03\x04"), undefined],
  ["a picture of HEIC", named("ftypheic", 4), undefined],
  ["a film of QuickTime", named("ftypqt  ", 4), undefined],
  ["a video in Ogg", ogg("\x80theora"), undefined],
  ["a film in RIFF", Buffer.concat([Buffer.from("RIFF\0\0\0\0AVI LIST"), Buffer.alloc(100)]), undefined],
  ["a tag and nothing behind it", tag(500), undefined],
  ["a tag and text behind it", Buffer.concat([tag(500), Buffer.from("x".repeat(20_000))]), undefined],
  ["one frame and then noise", Buffer.concat([frame(), Buffer.alloc(20_000, 7)]), undefined],
  ["bare AAC, which the library does not read", Buffer.from("fff15080".repeat(3000), "hex"), undefined],
])("finds the type of %s", async (_title, bytes, type) => {
  expect(await detect(bytes)).toBe(type);
});

it("waits for more of a file before it judges", async () => {
  const whole = Buffer.concat([tag(100_000), frames(40)]);
  expect(await detect(whole.subarray(0, 10), whole.length)).toBe("unsure");
  expect(await detect(whole.subarray(0, 60_000), whole.length)).toBe("unsure");
  expect(await detect(whole, whole.length + 1)).toBe(".mp3");
  expect(await detect(Buffer.alloc(20_000), 30_000)).toBeUndefined();
});
