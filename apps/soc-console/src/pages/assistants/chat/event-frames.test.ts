import { expect, it } from "vitest";
import { createFrameReader } from "./event-frames.ts";

it("joins chunks that were split at any position", () => {
  const stream = 'event: token\ndata: {"text":"a\\nb"}\n\n: heartbeat\n\nevent: done\ndata: {}\n\n';
  for (let at = 0; at <= stream.length; at += 1) {
    const { push } = createFrameReader();
    expect([...push(stream.slice(0, at)), ...push(stream.slice(at))]).toEqual([
      { event: "token", data: '{"text":"a\\nb"}' },
      { event: "done", data: "{}" },
    ]);
  }
});

it("emits no event that never ends", () => {
  const { push } = createFrameReader();
  expect(push('event: token\ndata: {"te')).toEqual([]);
});

it("reads CRLF line ends and data of several lines", () => {
  expect(createFrameReader().push("data: a\r\ndata:b\r\n\r\n")).toEqual([{ event: "message", data: "a\nb" }]);
});
