import { expect, it } from "vitest";
import { chooseTiles, isPlaying } from "./tiles.ts";

function surah(id: number, play_count = 0, available = true) {
  return { id, type: "surah" as const, reciter: "Husary", surah: id, url: "", name: "", available, play_count };
}

function stream(id: number, url: string, play_count = 0) {
  return { id, type: "stream" as const, reciter: "", surah: 0, url, name: `Stream ${id}`, available: true, play_count };
}

function station(id: number, last_played: number | null = null) {
  return { id, name: `Station ${id}`, url: `https://radio.example/${id}`, last_played };
}

function chooseKeys(...lists: Parameters<typeof chooseTiles>): string[] {
  return chooseTiles(...lists).map(({ key }) => key);
}

it("chooses the four most played favorites and the two stations played last, oldest first", () => {
  const favorites = [surah(1, 9), surah(2, 1), surah(3, 7), surah(4, 8), surah(5, 6), surah(6, 2)];
  const stations = [station(1), station(2, 500), station(3, 400)];
  const expected = ["favorite-1", "favorite-3", "favorite-4", "favorite-5", "station-2", "station-3"];
  expect(chooseKeys(favorites, stations)).toEqual(expected);
});

it("keeps every tile at its place when one of them is played", () => {
  const stations = [station(1, 100), station(2, 200)];
  const before = chooseKeys([surah(1, 5), surah(2, 5)], stations);
  expect(chooseKeys([surah(1, 5), surah(2, 6)], [station(1, 300), station(2, 200)])).toEqual(before);
});

it("fills the space that the other kind leaves", () => {
  expect(
    chooseKeys(
      [surah(1)],
      [1, 2, 3, 4, 5, 6, 7].map((id) => station(id)),
    ),
  ).toHaveLength(6);
  expect(
    chooseKeys(
      [1, 2, 3, 4, 5, 6, 7].map((id) => surah(id)),
      [station(1)],
    ),
  ).toHaveLength(6);
  expect(
    chooseKeys(
      [1, 2, 3, 4, 5, 6, 7].map((id) => surah(id)),
      [],
    ),
  ).toHaveLength(6);
  expect(chooseKeys([], [])).toEqual([]);
});

it("omits surahs that are not on the card, and a station that is already a favorite", () => {
  expect(chooseKeys([surah(1, 9, false), stream(2, "https://radio.example/1")], [station(1), station(2)])).toEqual([
    "favorite-2",
    "station-2",
  ]);
});

it("recognises the tile that is playing", () => {
  const [fatiha, radio] = chooseTiles([surah(1)], [station(7)]);
  if (!fatiha || !radio) throw new Error("no tiles");
  const ofSurah = { type: "surah", reciter: "Husary", surah: 1 } as const;
  const ofStream = { type: "stream", url: "https://radio.example/7", name: "" } as const;
  expect([isPlaying(fatiha, ofSurah), isPlaying(fatiha, { ...ofSurah, reciter: "Minshawi" })]).toEqual([true, false]);
  expect([isPlaying(radio, ofStream), isPlaying(radio, ofSurah), isPlaying(radio, null)]).toEqual([true, false, false]);
});
