import process from "node:process";
import { createClock } from "@kit/clock";
import { expect, it } from "vitest";
import { testPlatform } from "../../../testing/harness/feature-app.ts";
import { startNatsServers } from "../../../testing/servers/nats-servers.ts";
import { natsSource, sampleEvents, streamOn } from "../../../testing/servers/nats-streams.ts";

const isFull = process.env.PROVE === "full";
const KILLS = isFull ? 20 : 1;
const PUBLISHERS = 4;
const EVENTS = 100;
const DOWN_MS = 3000;
const UP_MS = 5000;
const MINUTES = 60_000;
const clock = createClock();

it(`loses nothing that was acknowledged over kills of one of three servers (${KILLS})`, {
  timeout: 15 * MINUTES,
}, async () => {
  const servers = await startNatsServers(3);
  const platform = await testPlatform("real");
  const open = () => streamOn(natsSource({ url: servers.url, name: "kills", replicas: 3 }), platform);
  const [publishing, consuming] = [open(), open()];
  const acknowledged: string[] = [];
  const handled = new Map<string, number>();
  let refusals = 0;
  let longestMs = 0;
  let isOver = false;

  async function publishUntilAcknowledged(name: string): Promise<void> {
    const events = sampleEvents(EVENTS, `${name}-`);
    const startMs = clock.monotonicMs();
    for (;;) {
      try {
        await publishing.publish(events);
        break;
      } catch {
        refusals += 1;
      }
    }
    longestMs = Math.max(longestMs, clock.monotonicMs() - startMs);
    acknowledged.push(...events.map(({ id }) => id));
  }

  async function publishAll(publisher: number): Promise<void> {
    for (let batch = 0; !isOver; batch += 1) await publishUntilAcknowledged(`${publisher}-${batch}`);
  }

  const outOfOrder: string[] = [];
  const lastByPublisher = new Map<string, number>();
  consuming.consume({
    name: "writer",
    from: "first",
    most: 10_000,
    async handle({ events, hasGap }) {
      if (hasGap) outOfOrder.push("gap");
      for (const { id, subject_id } of events) {
        handled.set(id, (handled.get(id) ?? 0) + 1);
        const [publisher = "", batch, index] = subject_id.split("-");
        const place = Number(batch) * EVENTS + Number(index);
        if (place <= (lastByPublisher.get(publisher) ?? -1)) outOfOrder.push(subject_id);
        lastByPublisher.set(publisher, place);
      }
    },
  });
  await publishing.publish(sampleEvents(1, "warm-0-"));
  const publishers = Array.from({ length: PUBLISHERS }, (_, publisher) => publishAll(publisher));
  const startMs = clock.monotonicMs();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await clock.sleep(UP_MS);
    const node = servers.nodes[kill % 3];
    await node?.kill();
    await clock.sleep(DOWN_MS);
    await node?.start();
  }
  await clock.sleep(UP_MS);
  isOver = true;
  await Promise.all(publishers);
  const seconds = (clock.monotonicMs() - startMs) / 1000;
  const missing = () => acknowledged.filter((id) => !handled.has(id)).length;
  await expect.poll(missing, { timeout: MINUTES, interval: 500 }).toBe(0);
  const repeated = [...handled.values()].filter((count) => count > 1).length;
  process.stdout.write(
    `${KILLS} kills in ${Math.round(seconds)} s: ${acknowledged.length} events acknowledged, ${missing()} lost, ` +
      `${repeated} handed over twice, ${refusals} publishes refused, longest publish ${Math.round(longestMs)} ms, ` +
      `${Math.round(acknowledged.length / seconds)} events/s\n`,
  );
  expect(acknowledged.length).toBeGreaterThan(KILLS * 1000);
  expect(repeated).toBe(0);
  expect(outOfOrder).toEqual([]);
  await Promise.all([publishing.close(), consuming.close()]);
  await platform.close();
  await servers.stop();
});
