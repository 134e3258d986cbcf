import { describe, expect, it } from "vitest";
import { createHandClock } from "../../../testing/manual-clock.ts";
import { createHandSockets } from "../../../testing/manual-socket.ts";
import { openConnection } from "./connection.ts";

function connect() {
  const clock = createHandClock();
  const sockets = createHandSockets();
  const frames: string[] = [];
  const connection = openConnection({
    open: () => sockets.open(),
    after: clock.after,
    onFrame: ({ type }) => frames.push(type),
  });
  return { clock, sockets, frames, connection };
}

describe("connection", () => {
  it("is connected after the device sent hello, and delivers its frames", () => {
    const { sockets, frames, connection } = connect();
    expect(connection.presence.value).toBe("connecting");
    sockets.say("hello", {});
    sockets.say("volume", { volume: 5 });
    expect(connection.presence.value).toBe("here");
    expect(frames).toEqual(["hello", "volume"]);
  });

  it("reports an unreachable device after three seconds without a socket, not before", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    sockets.drop();
    clock.pass(2999);
    expect(connection.presence.value).toBe("connecting");
    clock.pass(1);
    expect(connection.presence.value).toBe("unreachable");
  });

  it("does not report a shorter gap", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    sockets.drop();
    clock.pass(600);
    sockets.say("hello", {});
    clock.pass(5000);
    expect(connection.presence.value).toBe("here");
  });

  it("retries indefinitely, within the device's limit of ten in ten seconds", () => {
    const { clock, sockets, connection } = connect();
    for (let second = 0; second < 60; second += 1) {
      sockets.drop();
      clock.pass(1000);
    }
    expect(sockets.opened.length).toBeGreaterThan(10);
    expect(sockets.opened.length).toBeLessThan(20);
    clock.pass(5000);
    sockets.say("hello", {});
    expect(connection.presence.value).toBe("here");
  });

  it("retries immediately on request", () => {
    const { clock, sockets, connection } = connect();
    for (let at = 0; at < 5; at += 1) {
      sockets.drop();
      clock.pass(5000);
    }
    sockets.drop();
    const before = sockets.opened.length;
    connection.tryNow();
    expect(sockets.opened).toHaveLength(before + 1);
    sockets.say("hello", {});
    connection.tryNow();
    expect(sockets.opened).toHaveLength(before + 1);
  });

  it("treats a device that answers no pings as disconnected", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    clock.pass(10_000);
    expect(sockets.opened[0]?.sent).toEqual(['{"type":"ping"}']);
    clock.pass(5000);
    expect(sockets.opened[0]?.isClosed).toBe(true);
    expect(connection.presence.value).toBe("connecting");
  });

  it("stays connected to a device that only answers pings", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    for (let at = 0; at < 20; at += 1) {
      clock.pass(10_000);
      sockets.say("pong", {});
    }
    expect(sockets.opened).toHaveLength(1);
    expect(connection.presence.value).toBe("here");
  });

  it("ignores events of a socket that it closed", () => {
    const { clock, sockets, frames } = connect();
    sockets.say("hello", {});
    const [left] = sockets.opened;
    sockets.drop();
    clock.pass(500);
    left?.target.dispatchEvent(new MessageEvent("message", { data: '{"type":"volume","ts":0,"data":{}}' }));
    expect(frames).toEqual(["hello"]);
    expect(sockets.opened).toHaveLength(2);
  });

  it("does nothing once it is closed", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    connection.close();
    sockets.drop();
    clock.pass(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});
