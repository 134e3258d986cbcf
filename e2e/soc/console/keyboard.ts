import type { Locator, Page } from "playwright-core";

export interface Keyboard {
  /** Presses keys one after another: `press("j", "j", "x")`; a sequence such as `g a` is two keys. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text into what has the focus; every sign counts as a key. */
  type(text: string): Promise<void>;
  /** Presses Tab until the target has the focus. */
  reach(target: Locator): Promise<void>;
  /** How many keys were pressed. */
  pressed(): number;
}

/** More than any page has. */
const MAX_STEPS = 300;

/** An analyst without a mouse, who counts the keys. */
export function createKeyboard(page: Page): Keyboard {
  let pressed = 0;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys.flatMap((each) => (each === " " ? [each] : each.split(" ")))) {
      await page.keyboard.press(key);
      pressed += 1;
    }
  };
  return {
    press,
    async type(text) {
      await page.keyboard.type(text);
      pressed += text.length;
    },
    async reach(target) {
      await target.waitFor();
      for (let step = 0; step < MAX_STEPS; step += 1) {
        if (await target.evaluate((element) => document.activeElement === element)) return;
        await press("Tab");
      }
      throw new Error(`no Tab leads to ${String(target)}`);
    },
    pressed: () => pressed,
  };
}

/** The focused element; undefined when only the page itself has the focus. */
export function findFocus(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return undefined;
    return `${activeElement.tagName.toLowerCase()} ${activeElement.getAttribute("aria-label") ?? activeElement.textContent?.slice(0, 60) ?? ""}`;
  });
}
