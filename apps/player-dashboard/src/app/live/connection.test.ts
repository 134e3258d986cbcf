import { describe, expect, it } from "vitest";
import { createHandClock } from "../../../testing/hand-clock.ts";
import { createHandSockets } from "../../../testing/hand-socket.ts";
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
  it("is here once the device has said hello, and passes on what it says", () => {
    const { sockets, frames, connection } = connect();
    expect(connection.presence.value).toBe("connecting");
    sockets.say("hello", {});
    sockets.say("volume", { volume: 5 });
    expect(connection.presence.value).toBe("here");
    expect(frames).toEqual(["hello", "volume"]);
  });

  it("tells after three seconds without a socket, not before", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    sockets.drop();
    clock.pass(2999);
    expect(connection.presence.value).toBe("connecting");
    clock.pass(1);
    expect(connection.presence.value).toBe("unreachable");
  });

  it("says nothing of a gap that is shorter", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    sockets.drop();
    clock.pass(600);
    sockets.say("hello", {});
    clock.pass(5000);
    expect(connection.presence.value).toBe("here");
  });

  it("tries again by itself, within the device's budget of ten in ten seconds, for as long as it takes", () => {
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

  it("does not wait when the owner asks for it", () => {
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

  it("takes a device that is silent, pings unanswered, for gone", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    clock.pass(10_000);
    expect(sockets.opened[0]?.sent).toEqual(['{"type":"ping"}']);
    clock.pass(5000);
    expect(sockets.opened[0]?.isClosed).toBe(true);
    expect(connection.presence.value).toBe("connecting");
  });

  it("stays with a device that answers its pings and says nothing else", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    for (let at = 0; at < 20; at += 1) {
      clock.pass(10_000);
      sockets.say("pong", {});
    }
    expect(sockets.opened).toHaveLength(1);
    expect(connection.presence.value).toBe("here");
  });

  it("no longer listens to a socket that it has left", () => {
    const { clock, sockets, frames } = connect();
    sockets.say("hello", {});
    const [left] = sockets.opened;
    sockets.drop();
    clock.pass(500);
    left?.target.dispatchEvent(new MessageEvent("message", { data: '{"type":"volume","ts":0,"data":{}}' }));
    expect(frames).toEqual(["hello"]);
    expect(sockets.opened).toHaveLength(2);
  });

  it("is quiet once it is closed", () => {
    const { clock, sockets, connection } = connect();
    sockets.say("hello", {});
    connection.close();
    sockets.drop();
    clock.pass(60_000);
    expect(sockets.opened).toHaveLength(1);
  });
});
