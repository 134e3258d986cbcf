import { describe, expect, it } from "vitest";
import { addBoot, findClone, MAX_BOOTS, type SeenBoots } from "./boots.ts";

const HOUR = 3_600_000;
const at = (hours: number) => new Date(hours * HOUR);
const FIRST = { id: "a", uptime_ms: 10 * HOUR, at: at(100) };

describe("clone detection by boots", () => {
  it.each([
    ["the first one", { id: "a", uptime_ms: 0, at: at(1) }, []],
    ["the same one an hour later", { id: "a", uptime_ms: 11 * HOUR, at: at(101) }, [FIRST]],
    ["the same one whose clock is a little slow", { id: "a", uptime_ms: 10 * HOUR - 59_000, at: at(101) }, [FIRST]],
    ["a new one that began after the last answer", { id: "b", uptime_ms: HOUR / 2, at: at(101) }, [FIRST]],
    ["a new one that began a little before it", { id: "b", uptime_ms: HOUR + 59_000, at: at(101) }, [FIRST]],
  ])("finds no clone: %s", (_, boot, seen) => {
    expect(findClone(boot, seen)).toBeUndefined();
  });

  it.each<[string, typeof FIRST, SeenBoots]>([
    ["one that runs shorter than before", { id: "a", uptime_ms: 9 * HOUR, at: at(101) }, [FIRST]],
    ["a new one that had begun before the last answer", { id: "b", uptime_ms: 2 * HOUR, at: at(101) }, [FIRST]],
    ["one that returns", { id: "b", uptime_ms: HOUR, at: at(102) }, [FIRST, { id: "b", uptime_ms: 0, at: at(90) }]],
  ])("finds a clone: %s", (_, boot, seen) => {
    expect(findClone(boot, seen)).toMatch(/^boot [ab] /);
  });

  it("keeps a limited number of boots without duplicates, newest first", () => {
    let seen: SeenBoots = [];
    for (let hour = 0; hour < 100; hour += 1) {
      const boot = { id: `boot-${hour}`, uptime_ms: 0, at: at(hour) };
      seen = addBoot(boot, addBoot(boot, seen));
    }
    expect(seen).toHaveLength(MAX_BOOTS);
    expect(seen[0]?.id).toBe("boot-99");
  });
});
