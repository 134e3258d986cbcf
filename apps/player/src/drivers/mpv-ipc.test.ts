import { once } from "node:events";
import { duplexPair } from "node:stream";
import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createMpvIpc, type MpvEvent } from "./mpv-ipc.ts";

function connect() {
  const [socket, mpv] = duplexPair();
  const clock = createFakeClock();
  const events: MpvEvent[] = [];
  let hangs = 0;
  const ipc = createMpvIpc({
    socket,
    clock,
    onHang: () => {
      hangs += 1;
    },
  });
  ipc.onEvent((event) => events.push(event));
  return { ...ipc, clock, socket, mpv, events, hangs: () => hangs };
}

describe("mpv ipc", () => {
  it("sends a line for each request and returns each answer to its caller", async () => {
    const { request, mpv, clock } = connect();
    let sent = "";
    mpv.on("data", (chunk) => {
      sent += chunk;
    });
    const asked = [request("get_property", "time-pos"), request("set_property", "pause", true), request("seek", 1.5)];
    await clock.advance(0);
    expect(sent).toBe(
      '{"command":["get_property","time-pos"],"request_id":1}\n' +
        '{"command":["set_property","pause",true],"request_id":2}\n' +
        '{"command":["seek",1.5],"request_id":3}\n',
    );
    mpv.write('{"request_id":2,"error":"success"}\n{"data":7.25,"request_id":1,"error":"success"}\n');
    mpv.write('{"request_id":3,"error":"error running command"}\n');
    expect(await Promise.all(asked)).toEqual([7.25, undefined, undefined]);
  });

  it("sends named arguments, and says why mpv refused", async () => {
    const { send, mpv, clock } = connect();
    let sent = "";
    mpv.on("data", (chunk) => {
      sent += chunk;
    });
    const replies: unknown[] = [];
    for (const _ of [1, 2]) send({ name: "loadfile", url: "a" }, (reply) => replies.push(reply));
    await clock.advance(0);
    expect(sent.split("\n")[0]).toBe('{"command":{"name":"loadfile","url":"a"},"request_id":1}');
    mpv.write('{"request_id":1,"error":"invalid parameter"}\n{"request_id":2,"error":"success","data":7}\n');
    await clock.advance(0);
    expect(replies).toEqual([{ refusal: "invalid parameter" }, { data: 7 }]);
  });

  it("parses events however their lines are split", async () => {
    const { mpv, events, clock } = connect();
    const lines = '{"event":"log-message","text":"سورة"}\n{"event":"idle"}\n';
    for (const byte of Buffer.from(lines)) mpv.write(Buffer.of(byte));
    await clock.advance(0);
    expect(events).toEqual([{ event: "log-message", text: "سورة" }, { event: "idle" }]);
  });

  it("calls back with an answer before it emits the event that follows it", async () => {
    const { send, onEvent, mpv, clock } = connect();
    const order: string[] = [];
    send(["loadfile", "a"], () => order.push("answer"));
    onEvent(({ event }) => order.push(event));
    mpv.write('{"request_id":1,"error":"success"}\n{"event":"start-file"}\n');
    await clock.advance(0);
    expect(order).toEqual(["answer", "start-file"]);
  });

  it("detects a hang when no answer arrives for two seconds, or five at the start", async () => {
    const { request, mpv, clock, hangs } = connect();
    void request("first");
    await clock.advance(4900);
    expect(hangs()).toBe(0);
    mpv.write('{"request_id":1,"error":"success"}\n');
    await clock.advance(1000);
    void request("second");
    await clock.advance(1900);
    expect(hangs()).toBe(0);
    await clock.advance(300);
    expect(hangs()).toBe(1);
  });

  it("detects no hang when the answer only waits to be read", async () => {
    const { request, mpv, clock, hangs } = connect();
    void request("asked");
    await clock.advance(15_000);
    mpv.write('{"request_id":1,"error":"success"}\n');
    await clock.advance(1000);
    expect(hangs()).toBe(0);
  });

  it("resolves all pending requests when the connection closes", async () => {
    const { request, socket } = connect();
    const asked = request("asked");
    socket.destroy();
    expect(await asked).toBeUndefined();
    expect(await request("asked too late")).toBeUndefined();
  });

  it.each(["no JSON", '"text"', '{"request_id":"1"}'])("closes the connection on the line %s", async (line) => {
    const { mpv, socket } = connect();
    mpv.write(`${line}\n`);
    const [error] = await once(socket, "error");
    expect(error.message).toMatch(/^mpv sent a line/);
  });
});
