import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { see } from "../../testing/card-reader.contract.ts";
import { createPcscCardReader } from "./pcsc-card-reader.ts";
import { openPcscWatch, transmitPcsc } from "./pcsc-client.ts";

const realClock = createClock();
const WAIT = 0x13;
const STOP_WAITING = 0x14;
const GET_UID = Buffer.from("ffca000000", "hex");
/** SCARD_E_SERVICE_STOPPED and SCARD_E_NO_SMARTCARD. */
const MISMATCH = 0x8010001e;
const NO_CARD = 0x8010000c;

interface Place {
  name: string;
  eventCounter: number;
  isCardPresent: boolean;
}

/** A pcscd whose answers the test provides, with a clock that the test advances. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "hand-pcscd-"));
  const clock = createFakeClock();
  const waiting = new Set<Socket>();
  const sockets = new Set<Socket>();
  const daemon = {
    version: { major: 4, minor: 4 },
    places: [] as Place[],
    response: Buffer.from("04a1b2c39000", "hex"),
    connectResult: 0,
    /** Commands that it does not answer. */
    ignored: new Set<number>(),
    commands: [] as number[],
    /** Notifies waiting clients that a reader has changed. */
    signal() {
      for (const socket of waiting) socket.write(numbers(0, 0));
      waiting.clear();
    },
    die() {
      for (const socket of sockets) socket.destroy();
    },
  };

  const answers: Record<number, (body: Buffer, socket: Socket) => Buffer> = {
    1: () => numbers(2, 77, 0),
    2: () => numbers(77, 0),
    4: (body) => Buffer.concat([body.subarray(0, 140), numbers(88, 2, daemon.connectResult)]),
    6: () => numbers(88, 0, 0),
    9: () => Buffer.concat([numbers(88, 2, 16, 5, 3, 16, daemon.response.length, 0), daemon.response]),
    17: (body) => {
      const { major, minor } = daemon.version;
      const isSame = body.readUInt32LE(0) === major && body.readUInt32LE(4) === minor;
      return numbers(major, minor, isSame ? 0 : MISMATCH);
    },
    [WAIT]: (_, socket) => {
      waiting.add(socket);
      return encodeReaders(daemon.places);
    },
    [STOP_WAITING]: (_, socket) => (waiting.delete(socket) ? numbers(0, 0) : Buffer.alloc(0)),
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      for (const { command, body } of messagesIn(bytes)) {
        daemon.commands.push(command);
        if (!daemon.ignored.has(command)) socket.write(answers[command]?.(body, socket) ?? Buffer.alloc(0));
      }
    });
  });
  const socketPath = join(folder, "pcscd.comm");
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(async () => {
    daemon.die();
    server.close();
    await rm(folder, { recursive: true });
  });
  return { daemon, clock, deps: { socketPath, clock } };
}

function messagesIn(bytes: Buffer): { command: number; body: Buffer }[] {
  if (bytes.length < 8) return [];
  const command = bytes.readUInt32LE(4);
  const end = 8 + bytes.readUInt32LE(0);
  const next = command === 9 ? end + GET_UID.length : end;
  return [{ command, body: bytes.subarray(8, end) }, ...messagesIn(bytes.subarray(next))];
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
}

function encodeReaders(places: readonly Place[]): Buffer {
  const bytes = Buffer.alloc(16 * 184);
  for (const [index, { name, eventCounter, isCardPresent }] of places.entries()) {
    bytes.write(name, index * 184);
    bytes.set(numbers(eventCounter, isCardPresent ? 0x34 : 2), index * 184 + 128);
  }
  return bytes;
}

/** Advances the clock, with real turns for the socket in between, until the promise is settled. */
async function advanceUntilSettled<T>(clock: ReturnType<typeof createFakeClock>, work: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = work.finally(() => {
    isSettled = true;
  });
  settled.catch(() => undefined);
  while (!isSettled) {
    await realClock.sleep(1);
    await clock.advance(100);
  }
  return settled;
}

it("uses the version of a newer pcscd", async () => {
  const { daemon, deps } = await setUp();
  daemon.version = { major: 4, minor: 5 };
  daemon.places = [{ name: "One", eventCounter: 0, isCardPresent: false }];
  const watch = await openPcscWatch(deps);
  expect(await watch.readers()).toEqual([{ name: "One", eventCounter: 0, isCardPresent: false }]);
  watch.close();
});

it.each([
  [{ major: 4, minor: 3 }, "4:3"],
  [{ major: 5, minor: 4 }, "5:4"],
])("refuses a pcscd of version %j", async (version, text) => {
  const { daemon, deps } = await setUp();
  daemon.version = version;
  await expect(openPcscWatch(deps)).rejects.toThrow(`nfc: pcscd speaks version ${text}, which is not known here`);
});

it("rejects when pcscd is missing", async () => {
  const { deps } = await setUp();
  const nowhere = { ...deps, socketPath: `${deps.socketPath}.none` };
  await expect(openPcscWatch(nowhere)).rejects.toThrow("nfc: pcscd cannot be reached");
});

it("times out when no answer arrives within 5 s", async () => {
  const { daemon, clock, deps } = await setUp();
  daemon.ignored.add(WAIT);
  const watch = await openPcscWatch(deps);
  await expect(advanceUntilSettled(clock, watch.readers())).rejects.toThrow("nfc: pcscd does not answer");
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(5000);
  expect(clock.monotonicMs()).toBeLessThan(6000);
});

it("detects a pcscd that dies during a wait", async () => {
  const { daemon, deps } = await setUp();
  const watch = await openPcscWatch(deps);
  await watch.readers();
  const changed = watch.changed();
  daemon.die();
  await expect(changed).rejects.toThrow("nfc: pcscd has gone");
});

it("checks a silent pcscd after 30 s", async () => {
  const { daemon, clock, deps } = await setUp();
  const watch = await openPcscWatch(deps);
  await watch.readers();
  await advanceUntilSettled(clock, watch.changed());
  expect(daemon.commands.at(-1)).toBe(STOP_WAITING);
  await watch.readers();
  daemon.ignored.add(STOP_WAITING);
  await expect(advanceUntilSettled(clock, watch.changed())).rejects.toThrow("nfc: pcscd does not answer");
  watch.close();
});

it("receives a change that arrives during the check", async () => {
  const { daemon, clock, deps } = await setUp();
  const watch = await openPcscWatch(deps);
  await watch.readers();
  daemon.ignored.add(STOP_WAITING);
  const changed = watch.changed();
  while (daemon.commands.at(-1) !== STOP_WAITING) await clock.advance(100);
  daemon.signal();
  await changed;
  watch.close();
});

it("returns the card's answer, and closes the connection", async () => {
  const { daemon, deps } = await setUp();
  expect(await transmitPcsc(deps, "One", GET_UID)).toEqual(Buffer.from("04a1b2c39000", "hex"));
  expect(daemon.commands).toEqual([17, 1, 4, 9, 6, 2]);
});

it("returns no answer from a card that is gone", async () => {
  const { daemon, deps } = await setUp();
  daemon.connectResult = NO_CARD;
  expect(await transmitPcsc(deps, "One", GET_UID)).toBeUndefined();
});

it("reads no more from pcscd than it requested", async () => {
  const { daemon, deps } = await setUp();
  daemon.response = Buffer.alloc(259);
  await expect(transmitPcsc(deps, "One", GET_UID)).rejects.toThrow("nfc: pcscd answered more than it was asked for");
});

async function setUpReader(places: Place[]) {
  const world = await setUp();
  world.daemon.places = places;
  const reader = createPcscCardReader({ ...world.deps, log: silentLog });
  onTestFinished(() => reader.close());
  return { ...world, reader, seen: see(reader) };
}

it("loses a reader that is unplugged, and finds it with the card that was placed in the meantime", async () => {
  const { daemon, reader, seen } = await setUpReader([{ name: "One", eventCounter: 0, isCardPresent: false }]);
  await reader.start();
  daemon.places = [];
  daemon.signal();
  await seen.until(1);
  daemon.places = [{ name: "One", eventCounter: 0, isCardPresent: true }];
  daemon.signal();
  expect(await seen.until(3)).toEqual([
    { type: "lost", why: "nfc: no card reader is connected" },
    { type: "back" },
    { type: "tap", uid: "04A1B2C3" },
  ]);
});

it("detects that a card was removed and placed again between two polls", async () => {
  const { daemon, reader, seen } = await setUpReader([{ name: "One", eventCounter: 1, isCardPresent: true }]);
  await reader.start();
  daemon.places = [{ name: "One", eventCounter: 3, isCardPresent: true }];
  daemon.signal();
  expect(await seen.until(2)).toEqual([
    { type: "lift", uid: "04A1B2C3" },
    { type: "tap", uid: "04A1B2C3" },
  ]);
});

it.each([
  ["no UID", "6d00"],
  ["an identifier of another size", "0102030405060708 9000"],
])("does not report a tap of a card with %s", async (_, response) => {
  const { daemon, clock, reader, seen } = await setUpReader([{ name: "One", eventCounter: 0, isCardPresent: false }]);
  await reader.start();
  daemon.response = Buffer.from(response.replaceAll(" ", ""), "hex");
  daemon.places = [
    { name: "One", eventCounter: 1, isCardPresent: true },
    { name: "Two", eventCounter: 0, isCardPresent: false },
  ];
  daemon.signal();
  const tries = () => daemon.commands.filter((command) => command === 9).length;
  while (tries() < 3) await clock.advance(10);
  daemon.response = Buffer.from("04a1b2c39000", "hex");
  daemon.places = [
    { name: "One", eventCounter: 1, isCardPresent: true },
    { name: "Two", eventCounter: 1, isCardPresent: true },
  ];
  while (seen.events.length === 0) {
    daemon.signal();
    await clock.advance(10);
  }
  expect(seen.events).toEqual([{ type: "tap", uid: "04A1B2C3" }]);
});

it("reconnects to a pcscd that died, after 1 s, then 2 s, finally every 10 s", async () => {
  const { daemon, clock, reader, seen } = await setUpReader([{ name: "One", eventCounter: 0, isCardPresent: false }]);
  await reader.start();
  daemon.version = { major: 9, minor: 9 };
  daemon.die();
  await seen.until(1);
  const attempts: number[] = [];
  let count = daemon.commands.length;
  while (clock.monotonicMs() < 40_000) {
    await clock.advance(500);
    await realClock.sleep(10);
    if (daemon.commands.length > count) attempts.push(clock.monotonicMs() / 1000);
    count = daemon.commands.length;
  }
  expect(attempts).toEqual([1, 3, 7, 15, 25, 35]);
  daemon.version = { major: 4, minor: 4 };
  await advanceUntilSettled(clock, seen.until(2));
  expect(seen.events).toMatchObject([{ type: "lost", why: "nfc: pcscd has gone" }, { type: "back" }]);
});
