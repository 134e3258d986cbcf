import { createServer, type Server } from "node:http";
import { createClock } from "@kit/clock";
import { startFaultProxy } from "@kit/testing/fault-proxy";
import { type Icecast, type Source, startIcecast, startSource } from "@player/service/testing/icecast";
import { type LoopbackPlayer, startLoopbackPlayer } from "@player/service/testing/loopback-player";
import { afterAll, beforeAll, expect, it } from "vitest";
import { count } from "../counts.ts";
import { createPlayerClient, type LiveEvent, type LiveSocket, type PlayerClient } from "./client.ts";
import { summaryOf } from "./figures.ts";
import { createMpvWitness, type MpvWitness } from "./mpv-witness.ts";

const ROUNDS = count({ ci: 1, full: 5 });
const OUTAGE_MS = count({ ci: 6, full: 60 }) * 1000;
// Eight seconds without a byte count as a broken connection: one stall is longer, and in the full run another one is
// shorter.
const STALL_SECONDS = [12, 7].slice(0, count({ ci: 1, full: 2 }));
const MIN_SILENCE_MS = 2000;
const MAX_NOTICE_MS = 600;
const MAX_RECOVERY_MS = 5000;
const REPORTED_WITHIN_MS = 30_000;
const MOUNT = "/live";

const clock = createClock();
let icecast: Icecast;
let source: Source;
/** A fixed address that redirects to the current station: a restarted server has another port. */
let entrance: Server;
let witness: MpvWitness;
let player: LoopbackPlayer;
let client: PlayerClient;
let socket: LiveSocket;

beforeAll(async () => {
  icecast = await startIcecast();
  source = await startSource({ icecast, mount: MOUNT });
  entrance = createServer((_request, response) => response.writeHead(302, { location: source.url }).end());
  entrance.listen(0, "127.0.0.1");
  witness = await createMpvWitness();
  player = await startLoopbackPlayer({ mpv: witness.command });
  client = await createPlayerClient(player);
  socket = await client.socket();
  // Answered when mpv runs.
  await client.post("/api/playback/play", { url: source.url });
  await witness.watch();
});
afterAll(async () => {
  await socket.close();
  client.close();
  witness.close();
  await player.close();
  entrance.close();
  await source.stop();
  await icecast.stop();
});

/** Plays and waits until audio has run for a while, so that all buffers are full. */
async function playSteadily(url: string): Promise<void> {
  expect((await client.post("/api/playback/play", { url })).status).toBe(200);
  const { length } = witness.moves;
  await expect.poll(() => witness.moves.length - length, { timeout: 10_000 }).toBeGreaterThan(50);
}

function urlOf(server: Server): string {
  const address = server.address();
  return address === null || typeof address === "string" ? "" : `http://127.0.0.1:${address.port}${MOUNT}`;
}

const readStatus = async () => (await client.get("/api/playback/status")).body;

/** The first event with this state since the given time. */
async function untilState(state: string, sinceMs: number): Promise<LiveEvent> {
  const deadline = clock.deadline(REPORTED_WITHIN_MS);
  for (;;) {
    const found = socket.events.find(
      ({ type, atMs, data }) => type === "playback" && atMs >= sinceMs && data.state === state,
    );
    if (found) return found;
    await clock.sleep(20, deadline);
  }
}

interface Interruption {
  outageMs: number;
  /** What the status contains in the meantime. */
  status?: object;
  breakIt: () => Promise<void>;
  /** Resolves to the moment from which the station was available again. */
  mendIt: () => Promise<number>;
}

interface OutageTimes {
  /** From the last audio to the event that reports silence. */
  noticedMs: number;
  backMs: number;
}

/** Breaks a station that is playing, repairs it, and measures the events and actions of the player. */
async function interrupt({ outageMs, status, breakIt, mendIt }: Interruption): Promise<OutageTimes> {
  const { underrun_count } = await readStatus();
  const expected = { state: "buffering", mode: "stream", underrun_count: underrun_count + 1, ...status };
  const brokenAtMs = clock.monotonicMs();
  await breakIt();
  const silent = await untilState("buffering", brokenAtMs);
  const noticedMs = silent.atMs - (witness.moves.findLast((atMs) => atMs <= silent.atMs) ?? 0);
  while (clock.monotonicMs() < Math.max(brokenAtMs + outageMs, silent.atMs + MIN_SILENCE_MS)) {
    expect(await readStatus()).toMatchObject(expected);
    await clock.sleep(200);
  }
  const mendedAtMs = await mendIt();
  const back = await untilState("playing", silent.atMs);
  await expect.poll(() => witness.moves.at(-1)).toBeGreaterThan(back.atMs);
  return { noticedMs, backMs: back.atMs - mendedAtMs };
}

/** The moment at which a listener could connect. */
async function whenListed(): Promise<number> {
  for (;;) {
    const listed = await fetch(`http://127.0.0.1:${icecast.port}/status-json.xsl`).then(
      (answer) => answer.text(),
      () => "",
    );
    if (listed.includes(`${icecast.port}${MOUNT}`)) return clock.monotonicMs();
    await clock.sleep(20);
  }
}

async function startAgain(): Promise<number> {
  const listed = whenListed();
  source = await startSource({ icecast, mount: MOUNT });
  return listed;
}

function expectInTime(what: string, measured: readonly OutageTimes[]): void {
  const [noticed, back] = [measured.map(({ noticedMs }) => noticedMs), measured.map(({ backMs }) => backMs)];
  console.log(`radio: ${what}, ${measured.length} times: silence shown after ${summaryOf(noticed)}`);
  console.log(`radio: ${what}, ${measured.length} times: playing again after ${summaryOf(back)}`);
  expect(Math.max(...noticed)).toBeLessThan(MAX_NOTICE_MS);
  expect(Math.max(...back)).toBeLessThan(MAX_RECOVERY_MS);
}

async function repeat<Result>(times: number, act: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  while (results.length < times) results.push(await act());
  return results;
}

it("emits the title that the station sets", async () => {
  await playSteadily(source.url);
  await source.setTitle("سورة مريم - It's 'live'; now");
  expect((await socket.next("metadata", ({ title }) => title !== "", 20_000)).data).toEqual({
    title: "سورة مريم - It's 'live'; now",
  });
  expect((await readStatus()).title).toBe("سورة مريم - It's 'live'; now");
});

it("waits for a station that is unreachable, and continues automatically", async () => {
  const measured = await repeat(ROUNDS, async () => {
    await playSteadily(source.url);
    return interrupt({
      outageMs: OUTAGE_MS,
      status: { retry_in_s: expect.any(Number) },
      breakIt: () => source.stop(),
      mendIt: startAgain,
    });
  });
  expectInTime(`station unreachable for ${OUTAGE_MS / 1000} s`, measured);
});

it("waits for a server that dies, and continues automatically", async () => {
  const measured = await repeat(ROUNDS, async () => {
    await playSteadily(urlOf(entrance));
    return interrupt({
      outageMs: OUTAGE_MS,
      status: { retry_in_s: expect.any(Number) },
      async breakIt() {
        await icecast.stop();
        await source.stop();
      },
      async mendIt() {
        icecast = await startIcecast();
        return startAgain();
      },
    });
  });
  expectInTime(`server unreachable for ${OUTAGE_MS / 1000} s`, measured);
});

it.each(STALL_SECONDS)("detects a connection that is silent for %d s without being closed", async (seconds) => {
  const proxy = await startFaultProxy(icecast.port);
  const measured = await repeat(ROUNDS, async () => {
    await playSteadily(`http://127.0.0.1:${proxy.port}${MOUNT}`);
    return interrupt({
      outageMs: seconds * 1000,
      breakIt: async () => proxy.stall(),
      async mendIt() {
        proxy.heal();
        return clock.monotonicMs();
      },
    });
  });
  await client.post("/api/playback/stop");
  await proxy.close();
  expectInTime(`silent connection for ${seconds} s`, measured);
});

it("has never reported playing while mpv was silent", () => {
  const untilState = socket.events.filter(({ type }) => type === "playback");
  const stateAt = (ms: number) => untilState.findLast(({ atMs }) => atMs <= ms)?.data.state;
  const stands = witness.moves.flatMap((atMs, i) => {
    const standsForMs = (witness.moves[i + 1] ?? atMs) - atMs;
    return standsForMs > MAX_NOTICE_MS ? [{ standsForMs, state: stateAt(atMs + MAX_NOTICE_MS) }] : [];
  });
  expect(stands.length).toBeGreaterThanOrEqual((2 + STALL_SECONDS.length) * ROUNDS);
  expect(stands.filter((each) => each.state === "playing")).toEqual([]);
});
