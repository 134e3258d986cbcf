import { describe, expect, it } from "vitest";
import { createHandClock } from "../../testing/manual-clock.ts";
import { createScrollPlace } from "./scroll-place.ts";

/** A browser whose page height the test controls; `entry` is the current entry of the history. */
function browsing() {
  const clock = createHandClock();
  const listeners = { resize: new Set<() => void>(), scroll: new Set<() => void>(), touch: new Set<() => void>() };
  const say = (name: keyof typeof listeners) => {
    for (const listener of [...listeners[name]]) listener();
  };
  const browser = { entry: { scroll: 0 }, top: 0, height: 10_000 };
  const scrollTo = (top: number) => {
    browser.top = Math.min(top, browser.height);
    say("scroll");
  };
  const place = createScrollPlace({
    readKept: () => browser.entry.scroll,
    keep: (top) => {
      browser.entry.scroll = top;
    },
    top: () => browser.top,
    scrollTo,
    onResize: (listener) => {
      listeners.resize.add(listener);
      return () => listeners.resize.delete(listener);
    },
    onScroll: (listener) => listeners.scroll.add(listener),
    onTouch: (listener) => listeners.touch.add(listener),
    after: clock.after,
  });
  const grow = (height: number) => {
    browser.height = height;
    browser.top = Math.min(browser.top, height);
    say("resize");
  };
  return { browser, clock, place, scrollTo, grow, touch: () => say("touch") };
}

/** Left at 1500, and entered again while the page is still short. */
function comeBack() {
  const world = browsing();
  const library = world.browser.entry;
  world.scrollTo(1500);
  world.place.leave();
  world.browser.entry = { scroll: 0 };
  world.grow(200);
  world.scrollTo(0);
  world.browser.entry = library;
  world.place.restore();
  world.clock.pass(0);
  return world;
}

describe("the place in a page", () => {
  it("restores the position once the page is long enough, in any number of parts", () => {
    const { browser, grow } = comeBack();
    expect(browser.top).toBe(200);
    grow(900);
    expect(browser.top).toBe(900);
    grow(9000);
    expect(browser.top).toBe(1500);
    grow(9500);
    expect(browser.top).toBe(1500);
  });

  it("the place in a page does not overwrite the position while the page is still short", () => {
    const { browser, clock, grow } = comeBack();
    clock.pass(1000);
    expect(browser.entry.scroll).toBe(1500);
    grow(9000);
    expect(browser.top).toBe(1500);
  });

  it("gives up when the user scrolls in the meantime", () => {
    const { browser, clock, scrollTo, touch, grow } = comeBack();
    touch();
    scrollTo(50);
    grow(9000);
    expect(browser.top).toBe(50);
    clock.pass(1000);
    expect(browser.entry.scroll).toBe(50);
  });

  it("gives up when the list does not load", () => {
    const { browser, clock, grow } = comeBack();
    clock.pass(6000);
    grow(9000);
    expect(browser.top).toBe(200);
  });

  it("saves the position without a click when the browser's own buttons leave the page", () => {
    const { browser, clock, scrollTo } = browsing();
    scrollTo(300);
    scrollTo(700);
    clock.pass(1000);
    expect(browser.entry.scroll).toBe(700);
  });
});
