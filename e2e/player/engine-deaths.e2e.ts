import { join } from "node:path";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { count } from "../counts.ts";
import { makeCard, makeFile } from "./card.ts";
import { hearFile, type LiveSocket, type PlayerClient, type StartedPlayer, startPlayer } from "./client.ts";
import { summaryOf } from "./figures.ts";
import { findMpv, isRunning } from "./mpv-processes.ts";

const clock = createClock();
const DEATHS = count({ ci: 1, full: 20 });

interface Sample {
  atMs: number;
  state: string;
  position: number;
}

let player: StartedPlayer;
let live: LiveSocket;

beforeAll(async () => {
  const card = await makeCard({ reciters: {} });
  await makeFile(join(card, "Husary", "002.mp3"), { seconds: 600 });
  player = await startPlayer(card, { PLAYER_LIMITS: "off" });
  await hearFile(player.client, "Husary/002.mp3");
  live = await player.client.socket();
});
afterAll(async () => {
  await live.close();
  await player.service.stop();
});

/** Polls 50 times a second until it is stopped; returns the samples. */
function watchStatus({ get }: PlayerClient): () => Promise<Sample[]> {
  const samples: Sample[] = [];
  let isStopped = false;
  const watching = (async () => {
    while (!isStopped) {
      const { state, position } = (await get("/api/playback/status")).body;
      samples.push({ atMs: clock.monotonicMs(), state, position });
      await clock.sleep(20);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await watching;
    return samples;
  };
  onTestFinished(async () => {
    await stop();
  });
  return stop;
}

/** No client has received a state other than playing and buffering, or an error. */
function expectNothingElse(samples: readonly Sample[], events: LiveSocket["events"]): void {
  const received = events.filter(({ type }) => type === "playback").map(({ data }) => data.state);
  const others = [...samples.map(({ state }) => state), ...received].filter(
    (state) => !/^(playing|buffering)$/.test(state),
  );
  expect(others).toEqual([]);
  expect(events.filter(({ type }) => type === "error")).toEqual([]);
}

it(`continues within 2 s at the same position when mpv is killed (${DEATHS})`, async () => {
  const stopWatching = watchStatus(player.client);
  const outages: number[] = [];
  const jumps: number[] = [];
  for (let death = 0; death < DEATHS; death += 1) {
    // A different moment each time.
    await clock.sleep(1000 + ((death * 377) % 1000));
    const mpv = await findMpv(player.service.pid);
    const { position } = (await player.client.get("/api/playback/status")).body;
    const killedAt = clock.monotonicMs();
    sendSignal(mpv, "SIGKILL");
    await live.next("playback", ({ state }) => state === "buffering");
    const back = await live.next("playback", ({ state }) => state === "playing");
    outages.push(back.atMs - killedAt);
    jumps.push(back.data.position - position);
    await clock.sleep(500);
    const moved = (await player.client.get("/api/playback/status")).body.position - back.data.position;
    expect(Math.abs(moved - (clock.monotonicMs() - back.atMs))).toBeLessThan(300);
  }
  const samples = await stopWatching();
  const furthest = Math.max(...jumps.map(Math.abs));
  console.log(
    `player engine: ${DEATHS} deaths of mpv, playing again after ${summaryOf(outages)}, ` +
      `at most ${Math.round(furthest)} ms from where it was, ${samples.length} looks at the status`,
  );
  expect(Math.max(...outages)).toBeLessThan(2000);
  expect(furthest).toBeLessThan(1000);
  for (const [index, { position }] of samples.entries())
    expect(position).toBeGreaterThan((samples[index - 1]?.position ?? 0) - 1000);
  expectNothingElse(samples, live.events);
});

it("continues when mpv hangs", async () => {
  const stopWatching = watchStatus(player.client);
  const hanging = await findMpv(player.service.pid);
  const stoppedAt = clock.monotonicMs();
  sendSignal(hanging, "SIGSTOP");
  await live.next("playback", ({ state }) => state === "buffering", 10_000);
  const back = await live.next("playback", ({ state }) => state === "playing");
  console.log(`player engine: mpv hung, playing again after ${Math.round(back.atMs - stoppedAt)} ms`);
  expect(await isRunning(hanging)).toBe(false);
  await clock.sleep(1000);
  const { position } = (await player.client.get("/api/playback/status")).body;
  expect(position - back.data.position).toBeGreaterThan(700);
  expectNothingElse(await stopWatching(), live.events);
});
