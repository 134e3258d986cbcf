import { expect, it } from "vitest";
import { mayBeAudio, parseMediaType } from "./media-type.ts";
import { findEntries, isText } from "./playlist.ts";

const BASE = new URL("http://radio.example/lists/live.m3u?x=1");

it.each([
  [
    "an extended M3U",
    "#EXTM3U\n#EXTINF:-1,Live\nhttp://a.example/live\nhttp://b.example/live\n",
    "http://a.example/live",
  ],
  ["an M3U with a mark of its encoding", "\ufeff#EXTM3U\r\nhttp://a.example/live\r\n", "http://a.example/live"],
  ["a relative entry", "#EXTM3U\n../live.mp3\n", "http://radio.example/live.mp3"],
  ["an entry from the root", "#EXTM3U\n/live\n", "http://radio.example/live"],
  ["an entry after one of another scheme", "#EXTM3U\nrtsp://a.example/x\nhttps://b.example/y\n", "https://b.example/y"],
  ["a simple M3U", "http://a.example/live", "http://a.example/live"],
  ["a simple M3U with comments", "\n# Radio\nHTTP://A.example/live\n", "http://a.example/live"],
  ["a PLS", "[playlist]\nNumberOfEntries=1\nFile1=http://a.example/live\nTitle1=A\n", "http://a.example/live"],
  ["a PLS in other spelling", "[Playlist]\r\nfile2 = http://a.example/live\r\n", "http://a.example/live"],
])("finds the first address in %s", (_what, text, url) => {
  expect(findEntries("url", text, BASE)[0]?.href).toBe(url);
});

it.each([
  ["a web page", "<!doctype html>\n<a href='http://a.example/live'>live</a>", "url: leads to a text, not to audio"],
  ["a word", "not found", "url: leads to a text, not to audio"],
  ["a place behind words", "see\nhttp://a.example/live", "url: leads to a text, not to audio"],
  ["an empty playlist", "#EXTM3U\n", "url: leads to a text, not to audio"],
  ["files only", "#EXTM3U\nfile:///etc/passwd\nC:\\a.mp3\n", "url: leads to a text, not to audio"],
  ["a PLS without entries", "[playlist]\nNumberOfEntries=0\n", "url: leads to a text, not to audio"],
  [
    "HLS",
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\nhttp://a.example/1.ts\n",
    "url: leads to an HLS playlist, which this device cannot play",
  ],
])("refuses %s", (_what, text, message) => {
  expect(() => findEntries("url", text, BASE)).toThrow(expect.objectContaining({ kind: "failed", message }));
});

it.each([
  ["words", Buffer.from("#EXTM3U\r\n\thttp://a.example/سورة\n"), true],
  ["Latin-1", Buffer.from("Beyonc\xe9\n", "latin1"), true],
  ["Ogg", Buffer.from("OggS\0\x02\0\0"), false],
  ["MP3 with a tag", Buffer.from("ID3\x04\0\0"), false],
  ["ADTS", Buffer.from("fff15080021ffc", "hex"), false],
  ["MPEG audio", Buffer.from("fffb90640000000000", "hex"), false],
  [
    "silence that LAME filled up",
    Buffer.concat([Buffer.from("U".repeat(900)), Buffer.from("fffb90c4000000", "hex")]),
    false,
  ],
])("distinguishes text from audio: %s", (_what, head, expected) => {
  expect(isText(head)).toBe(expected);
});

it.each([
  ["audio/mpeg", "audio/mpeg", true],
  ["Audio/AACP; charset=utf-8", "audio/aacp", true],
  ["application/ogg", "application/ogg", true],
  ["audio/x-scpls", "audio/x-scpls", true],
  ["application/pls+xml", "application/pls+xml", true],
  [undefined, "application/octet-stream", true],
  ["", "application/octet-stream", true],
  ["audio/mpeg\u0001, x", "application/octet-stream", true],
  ["text/html; charset=utf-8", "text/html", false],
  ["application/json", "application/json", false],
  ["video/mp4", "video/mp4", false],
  ["video/ogg", "video/ogg", false],
  ["image/png", "image/png", false],
  ["application/dash+xml", "application/dash+xml", false],
])("parses the type %j as %s, possibly audio: %s", (header, type, expected) => {
  expect([parseMediaType(header), mayBeAudio(type)]).toEqual([type, expected]);
});
