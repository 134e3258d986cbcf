import type { Locator } from "playwright-core";

/** The input methods. In the full run, every journey runs with each of them; otherwise with one. */
export interface InputMethod {
  name: string;
  /** Buttons, links, switches and radio buttons. */
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** An entry of a list, by what it says. */
  choose(target: Locator, label: string): Promise<void>;
}

/** More than any page has. */
const MAX_STEPS = 400;

export const touch: InputMethod = {
  name: "a finger",
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
};

export const keyboard: InputMethod = {
  name: "the keyboard alone",

  async press(target) {
    const page = target.page();
    if (await isRadio(target)) {
      await reach(target);
      for (let step = 0; !(await target.isChecked()); step += 1) {
        if (step > MAX_STEPS) throw new Error("the arrow keys do not lead to this choice");
        await page.keyboard.press("ArrowDown");
      }
      return;
    }
    await reach(target);
    await page.keyboard.press("Enter");
  },

  async type(target, text) {
    await reach(target);
    await target.page().keyboard.press("ControlOrMeta+a");
    await target.page().keyboard.type(text);
  },

  async choose(target, label) {
    await reach(target);
    const chosen = () => target.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.label);
    await target.page().keyboard.press("Home");
    for (let step = 0; (await chosen()) !== label; step += 1) {
      if (step > MAX_STEPS) throw new Error(`the list has no '${label}'`);
      await target.page().keyboard.press("ArrowDown");
    }
  },
};

/** Presses Tab until the target has focus. In a radio group, only the checked button can be reached. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const isThere = await target.evaluate((element) => {
      const { activeElement } = document;
      const isOfGroup = (other: Element | null) =>
        other instanceof HTMLInputElement &&
        element instanceof HTMLInputElement &&
        other.type === "radio" &&
        other.name === element.name;
      return activeElement === element || isOfGroup(activeElement);
    });
    if (isThere) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${String(target)}`);
}

function isRadio(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element instanceof HTMLInputElement && element.type === "radio");
}

export const INPUT_METHODS: readonly InputMethod[] = [touch, keyboard];
