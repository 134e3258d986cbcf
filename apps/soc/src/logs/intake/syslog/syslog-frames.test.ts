import fc from "fast-check";
import { expect, it } from "vitest";
import { createFrames } from "./syslog-frames.ts";

function readFrames(bytes: Buffer, cuts: readonly number[], maxBytes = 1000): string[] {
  const frames = createFrames(maxBytes);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  const found = places.slice(1).flatMap((to, place) => frames.push(bytes.subarray(places[place], to)));
  return [...found, ...frames.end()].map(({ text }) => text);
}

it.each([
  ["octet counts, as RFC 6587, 3.4.1", "7 <13>one8 <13>two\n", ["<13>one", "<13>two"]],
  ["line feeds, as RFC 6587, 3.4.2", "<13>one\n<13>two\r\n\n<13>three", ["<13>one", "<13>two", "<13>three"]],
  ["both, and NUL", "<13>one\n8 <13>two2<13>three\0<13>four\n", ["<13>one", "<13>two2", "<13>three", "<13>four"]],
  ["a count with line feeds in the message", "11 <13>a\nb\nc d<13>e\n", ["<13>a\nb\nc d", "<13>e"]],
  ["lines that begin with a number", "12 monkeys\n3\n<13>x\n", ["12 monkeys", "3", "<13>x"]],
  ["a count in octets, not characters", "8 <13>éé<13>x\n", ["<13>éé", "<13>x"]],
])("parses %s, however the stream is split", (_what, stream, texts) => {
  const bytes = Buffer.from(stream);
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
      expect(readFrames(bytes, cuts)).toEqual(texts);
    }),
  );
});

it.each([
  ["a line", `${"x".repeat(25)}\nnext\n`],
  ["a counted message", `25 <13>${"x".repeat(21)}next\n`],
])("truncates and marks %s that is too long and continues after it", (_what, stream) => {
  for (const size of [1, 3, 100]) {
    const frames = createFrames(10);
    const bytes = Buffer.from(stream);
    const found = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...frames.push(bytes.subarray(at, at + size)));
    expect(found).toMatchObject([{ isCut: true }, { text: "next", isCut: false }]);
    expect(found[0]?.text).toHaveLength(10);
  }
});

it("loses no line of any stream", () => {
  const line = fc.stringMatching(/^[ -~é]{1,40}$/);
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 10 }),
      fc.array(fc.boolean()),
      fc.array(fc.nat()),
      (lines, counted, cuts) => {
        const messages = lines.map((text) => `<13>${text}`);
        const stream = messages.map((text, place) =>
          counted[place] ? `${Buffer.byteLength(text)} ${text}` : `${text}\n`,
        );
        expect(readFrames(Buffer.from(stream.join("")), cuts)).toEqual(messages);
      },
    ),
    { numRuns: 2000 },
  );
});
