import { describe, expect, it } from "vitest";
import { createNavigation } from "./navigation.ts";

function browsing(address = "/") {
  const shown = { address, tops: 0, places: [] as string[], move: (): void => undefined };
  const navigation = createNavigation({
    read: () => shown.address,
    push: (path) => {
      shown.address = path;
    },
    onMove: (listener) => {
      shown.move = listener;
    },
    toTop: () => {
      shown.tops += 1;
    },
    place: {
      leave: () => void shown.places.push(`left ${shown.address}`),
      restore: () => void shown.places.push(`restored ${shown.address}`),
    },
  });
  return { shown, navigation };
}

describe("navigation", () => {
  it("starts at the browser's address", () => {
    expect(browsing("/prayer").navigation.path.value).toBe("/prayer");
  });

  it("opens another page at its top and shows its address", () => {
    const { shown, navigation } = browsing();
    navigation.go("/library");
    expect(navigation.path.value).toBe("/library");
    expect(shown).toMatchObject({ address: "/library", tops: 1 });
    navigation.go("/library");
    expect(shown.tops).toBe(1);
  });

  it("follows the browser's back button", () => {
    const { shown, navigation } = browsing();
    navigation.go("/library");
    shown.address = "/";
    shown.move();
    expect(navigation.path.value).toBe("/");
    expect(shown.places).toEqual(["left /", "restored /"]);
  });
});
