import type { FavoriteBody } from "@player/service/contract/favorites";
import { describe, expect, it } from "vitest";
import { statusWith } from "../../../testing/playback-status.ts";
import { isSameFavorite } from "../../app/favorites/favorite-target.ts";
import { favoriteAside, favoriteTitle, isPlaying } from "./favorite-words.ts";

const kahf: FavoriteBody = {
  id: 1,
  type: "surah",
  reciter: "Husary",
  surah: 18,
  url: "",
  name: "",
  available: true,
  play_count: 3,
  last_played: null,
  created_at: 0,
};
const url = "https://radio.example/live";
const radio: FavoriteBody = {
  ...kahf,
  id: 2,
  type: "stream",
  reciter: "",
  surah: 0,
  url,
  name: "Cairo",
  play_count: 0,
};

describe("favorite", () => {
  it("names a favorite after its surah or by its own name", () => {
    expect(favoriteTitle(kahf, "ar")).toBe("الكهف");
    expect(favoriteTitle(radio, "ar")).toBe("Cairo");
  });

  it("shows the play count, or that the surah is missing", () => {
    expect(favoriteAside(kahf, "en")).toEqual(["Husary", "Played 3 times"]);
    expect(favoriteAside(kahf, "ar")).toEqual(["Husary", "سُمعت ٣ مرّات"]);
    expect(favoriteAside({ ...kahf, available: false }, "en")).toEqual(["Husary", "Not on the card"]);
    expect(favoriteAside(radio, "en")).toEqual(["Station", "Never played"]);
  });

  it("distinguishes reciters", () => {
    expect(isSameFavorite(kahf, { type: "surah", reciter: "Husary", surah: 18 })).toBe(true);
    expect(isSameFavorite(kahf, { type: "surah", reciter: "Alafasy", surah: 18 })).toBe(false);
    expect(isSameFavorite(radio, { type: "stream", url, name: "another name" })).toBe(true);
  });

  it("marks a favorite as current only while it plays", () => {
    const source = { type: "surah", reciter: "Husary", surah: 18 } as const;
    expect(isPlaying(kahf, statusWith({ state: "paused", source }))).toBe(true);
    expect(isPlaying(kahf, statusWith({ state: "stopped", source }))).toBe(false);
    expect(isPlaying(radio, statusWith({ state: "playing", source }))).toBe(false);
  });
});
