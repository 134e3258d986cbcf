import { createFakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import type { Parcel } from "./parcel.ts";
import { createQueue } from "./queue.service.ts";
import type { Outcomes } from "./writer.service.ts";

const parcel = (): Parcel => ({
  entries: [],
  characters: 1,
  batch: undefined,
  origin: { format: "json", sender: "key:edge" },
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : "");

it("turns away who has waited too long behind others, instead of letting each wait for all before it", async () => {
  const clock = createFakeClock();
  const away = new Problem("unavailable", "the stream does not answer");
  const storeGroup = async (parcels: readonly Parcel[]): Promise<Outcomes> => {
    await clock.sleep(15_000);
    return new Map(parcels.map((each) => [each, away]));
  };
  const limits = { groupMs: 0, groupCharacters: 1, waitMs: 10_000 };
  const queue = createQueue({ writer: { storeGroup }, clock, limits });
  const ends: [string, number][] = [];
  const send = (name: string) =>
    queue.store(parcel()).catch((error: unknown) => ends.push([`${name}: ${messageOf(error)}`, clock.monotonicMs()]));
  const sent = [send("first"), send("second")];
  await clock.advance(0);
  await clock.advance(8000);
  sent.push(send("third"));
  for (let second = 0; second < 30; second += 1) await clock.advance(1000);
  await Promise.all(sent);
  expect(ends).toEqual([
    ["first: the stream does not answer", 15_000],
    ["second: the intake is too slow; see Retry-After", 15_000],
    ["third: the stream does not answer", 30_000],
  ]);
});
