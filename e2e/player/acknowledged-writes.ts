import { expect } from "vitest";
import type { Answer, PlayerClient } from "./client.ts";

/** The last acknowledged value, and the value whose answer has not arrived. */
interface ValueKnowledge<Value> {
  acknowledged: Value;
  inFlight?: Value;
}

export interface Knowledge {
  volume: ValueKnowledge<number>;
  repeat: ValueKnowledge<number>;
  /** Whether each of the surahs is a favorite. */
  favorites: Map<number, ValueKnowledge<boolean>>;
  writes: number;
  /** The power is about to fail, so an answer that arrives now is uncertain. */
  isOver: boolean;
}

export const newKnowledge = (): Knowledge => ({
  volume: { acknowledged: 50 },
  repeat: { acknowledged: 0 },
  favorites: new Map(Array.from({ length: 50 }, (_, index) => [index + 1, { acknowledged: false }])),
  writes: 0,
  isOver: false,
});

/** Writes values one by one until the connection breaks or the power fails. */
async function writeOn<Value>(
  known: (round: number) => [ValueKnowledge<Value>, Value, () => Promise<Answer>],
  knowledge: Knowledge,
) {
  for (let round = 0; ; round += 1) {
    const [target, value, send] = known(round);
    target.inFlight = value;
    const answer = await send().catch(() => undefined);
    if (!answer || knowledge.isOver) return;
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    target.acknowledged = value;
    delete target.inFlight;
    knowledge.writes += 1;
  }
}

export function writeEverything({ post }: PlayerClient, knowledge: Knowledge): Promise<unknown> {
  const { volume, repeat, favorites } = knowledge;
  return Promise.all([
    writeOn((round) => [volume, round % 101, () => post("/api/playback/volume", { volume: round % 101 })], knowledge),
    writeOn((round) => {
      const body = { mode: "hifz_repeat", repeat: 1 + (round % 1000) };
      return [repeat, body.repeat, () => post("/api/playback/mode", body)];
    }, knowledge),
    writeOn((round) => {
      const surah = 1 + ((round * 7) % favorites.size);
      const known = favorites.get(surah) ?? { acknowledged: false };
      const body = { type: "surah", reciter: "Husary", surah };
      return [known, !known.acknowledged, () => post("/api/favorites/toggle", body)];
    }, knowledge),
  ]);
}

const listPossible = <Value>({ acknowledged, inFlight }: ValueKnowledge<Value>): Value[] =>
  inFlight === undefined ? [acknowledged] : [acknowledged, inFlight];

/** Compares the stored data with the acknowledged data and remembers the stored data. */
export async function expectKept(client: PlayerClient, knowledge: Knowledge): Promise<void> {
  const { volume, hifz } = (await client.get("/api/playback/status")).body;
  expect(listPossible(knowledge.volume)).toContain(volume);
  expect(listPossible(knowledge.repeat)).toContain(hifz?.repeat_target ?? 0);
  const { favorites } = (await client.get("/api/favorites")).body;
  const kept = new Set<number>();
  for (const favorite of favorites) {
    expect(favorite).toMatchObject({ type: "surah", reciter: "Husary", url: "", name: "", play_count: 0 });
    expect(kept.has(favorite.surah)).toBe(false);
    kept.add(favorite.surah);
  }
  for (const [surah, known] of knowledge.favorites) {
    expect([surah, listPossible(known)]).toEqual([surah, expect.arrayContaining([kept.has(surah)])]);
    knowledge.favorites.set(surah, { acknowledged: kept.has(surah) });
  }
  knowledge.volume = { acknowledged: volume };
  knowledge.repeat = { acknowledged: hifz?.repeat_target ?? 0 };
}
