import process from "node:process";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { expect, it } from "vitest";
import { type NatsNode, startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { natsSource, sampleEvents } from "../../../testing/servers/nats-streams.ts";
import { createRandom, type Random } from "../../../testing/simulations/random.ts";
import type { StreamSource } from "../../foundation/events/event-stream.ts";

const SECONDS = Number(process.env.PROVE_FAULT_SECONDS ?? (process.env.PROVE === "full" ? 600 : 20));
const SEED = Number(process.env.PROVE_FAULT_SEED ?? 1);
const STREAMS = 3;
const PUBLISHERS = 4;
const EVENTS = 3;
const APART_MS = 20;
const MINUTE_MS = 60_000;
const clock = createClock();
const KINDS = ["kill", "freeze", "freeze and kill"] as const;

/** Reads one stream as its successive owners do: each begins where the previous one has handled everything. */
function follow(source: StreamSource, random: Random) {
  const counts = new Map<string, number>();
  const gaps: string[] = [];
  const over = new AbortController();
  let handled: string | undefined;

  async function own(): Promise<void> {
    handled ??= await source.first();
    const reader = await source.readAfter(handled, over.signal);
    const term = clock.deadline(random.between(2000, 17_000));
    try {
      while (!over.signal.aborted && !term.aborted) {
        const read = await reader.read({ most: 2000, upTo: undefined });
        if (!read) continue;
        if (read.hasGap) gaps.push(`${source.name} from ${handled} to ${read.to}`);
        for (const { subject_id } of read.events) counts.set(subject_id, (counts.get(subject_id) ?? 0) + 1);
        handled = read.to;
      }
    } finally {
      await reader.close();
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) await own().catch(() => clock.sleep(100));
  }
  const running = run();
  return {
    gaps,
    count: (id: string) => counts.get(id) ?? 0,
    async close() {
      over.abort();
      await running;
    },
  };
}

async function disturb(node: NatsNode, kind: (typeof KINDS)[number], random: Random): Promise<void> {
  const pid = node.pid() ?? 0;
  if (kind !== "kill") {
    sendSignal(pid, "SIGSTOP");
    await clock.sleep(random.between(1000, 9000));
  }
  if (kind === "freeze") return sendSignal(pid, "SIGCONT");
  await node.kill();
  await clock.sleep(random.between(500, 2500));
  await node.start();
}

/** Disturbs up to two servers at once, so that at times no majority is left, and restores all of them. */
async function disturbAll(nodes: readonly NatsNode[], random: Random): Promise<number> {
  const over = clock.deadline(SECONDS * 1000);
  let faults = 0;
  async function disturbSome(mine: readonly NatsNode[]): Promise<void> {
    while (!over.aborted) {
      await clock.sleep(random.between(500, 5500));
      const node = mine[random.between(0, mine.length - 1)];
      if (node) await disturb(node, KINDS[random.between(0, KINDS.length - 1)] ?? "kill", random);
      faults += 1;
    }
  }
  await Promise.all([disturbSome(nodes.slice(0, 2)), disturbSome(nodes.slice(2))]);
  return faults;
}

it(`delivers each acknowledged event once over ${SECONDS} s of kills and freezes of two of three servers (seed ${SEED})`, {
  timeout: SECONDS * 1000 + 5 * MINUTE_MS,
}, async () => {
  const servers = await startNatsServers(3);
  const random = createRandom(SEED);
  const open = () =>
    Array.from({ length: STREAMS }, (_, n) =>
      natsSource({ url: servers.url, name: `faults-${n}`, isDeletedWhenHandled: true, maxInFlight: 4 }),
    );
  const [publishing, reading] = [open(), open()];
  const followers = reading.map((source) => follow(source, random));
  const acknowledged: string[] = [];
  let refusals = 0;
  let isOver = false;

  /** A sender retries a refused event until it is acknowledged. */
  async function publishAll(source: StreamSource, name: string): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const events = sampleEvents(EVENTS, `${name}-${n}-`);
      const isPublished = () =>
        source.publish(events).then(
          () => true,
          () => false,
        );
      while (!(await isPublished())) {
        refusals += 1;
        await clock.sleep(random.between(0, 2000));
      }
      acknowledged.push(...events.map(({ subject_id }) => subject_id));
      await clock.sleep(APART_MS);
    }
  }

  const publishers = publishing.flatMap((source, stream) =>
    Array.from({ length: PUBLISHERS }, (_, n) => publishAll(source, `${stream}-${n}`)),
  );
  const faults = await disturbAll(servers.nodes, random);
  await clock.sleep(5000);
  isOver = true;
  await Promise.all(publishers);
  const count = (id: string) => followers.reduce((sum, each) => sum + each.count(id), 0);
  const listLost = () => acknowledged.filter((id) => count(id) === 0);
  const deadline = clock.deadline(MINUTE_MS);
  while (listLost().length > 0 && !deadline.aborted) await clock.sleep(500);
  const lost = listLost();
  const doubled = acknowledged.filter((id) => count(id) > 1);
  const gaps = followers.flatMap((each) => each.gaps);
  process.stdout.write(
    `seed ${SEED}, ${faults} faults: ${acknowledged.length} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ` +
      `${gaps.length} gaps, ${refusals} refused\n`,
  );
  expect([lost.slice(0, 10), doubled.slice(0, 10), gaps.slice(0, 10)]).toEqual([[], [], []]);
  expect(acknowledged.length).toBeGreaterThan(SECONDS * 50);
  await Promise.all(followers.map((each) => each.close()));
  await Promise.all([...publishing, ...reading].map((each) => each.close()));
  await servers.stop();
});
