import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Menu } from "./menu.tsx";
import "./styles.css";

const item = (name: string | RegExp) => page.getByRole("menuitem", { name });
const menu = page.getByRole("menu", { name: "Actions" });
const button = page.getByRole("button", { name: "More" });

async function showMenu() {
  const chosen: string[] = [];
  await render(
    <Menu
      label="Actions"
      trigger="More"
      items={[
        { label: "Assign", onSelect: () => chosen.push("Assign") },
        {
          label: "Isolate",
          isDisabled: true,
          reason: "The endpoint is offline",
          onSelect: () => chosen.push("Isolate"),
        },
        { label: "Archive", onSelect: () => chosen.push("Archive") },
      ]}
    />,
  );
  return chosen;
}

// WAI-ARIA Authoring Practices, "Menu Button Pattern".
describe("a menu", () => {
  it("opens by a click and focuses its first item", async () => {
    await showMenu();
    await expect.element(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await expect.element(menu).toBeVisible();
    await expect.element(item("Assign")).toHaveFocus();
    await expect.element(button).toHaveAttribute("aria-expanded", "true");
  });

  it("closes by a second click on its button", async () => {
    await showMenu();
    await button.click();
    await expect.element(menu).toBeVisible();
    await button.click();
    await expect.element(menu).not.toBeInTheDocument();
  });

  it("opens by the arrow down at its first item and by the arrow up at its last", async () => {
    await showMenu();
    await userEvent.keyboard("{Tab}{ArrowUp}");
    await expect.element(item("Archive")).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(button).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(item("Assign")).toHaveFocus();
  });

  it("moves by arrows around both ends, by Home and End, and by the first letter", async () => {
    await showMenu();
    await button.click();
    await userEvent.keyboard("{ArrowUp}");
    await expect.element(item("Archive")).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(item("Assign")).toHaveFocus();
    await userEvent.keyboard("{End}");
    await expect.element(item("Archive")).toHaveFocus();
    await userEvent.keyboard("{Home}");
    await expect.element(item("Assign")).toHaveFocus();
    await userEvent.keyboard("a");
    await expect.element(item("Archive")).toHaveFocus();
    await userEvent.keyboard("i");
    await expect.element(item(/Isolate/)).toHaveFocus();
  });

  it("chooses by Enter, closes, and returns the focus to its button", async () => {
    const chosen = await showMenu();
    await button.click();
    await userEvent.keyboard("{End}{Enter}");
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(button).toHaveFocus();
    expect(chosen).toEqual(["Archive"]);
  });

  it("shows why an item is disabled, and does not run it", async () => {
    const chosen = await showMenu();
    await button.click();
    const isolate = item(/The endpoint is offline/);
    await expect.element(isolate).toHaveAttribute("aria-disabled", "true");
    await userEvent.keyboard("i{Enter}");
    await expect.element(menu).toBeVisible();
    expect(chosen).toEqual([]);
  });

  it("stays inside the window when its button is at the edge", async () => {
    await render(
      <div style={{ position: "fixed", insetInlineEnd: 0, insetBlockEnd: 0 }}>
        <Menu label="Actions" trigger="More" items={[{ label: "A rather long action", onSelect: () => undefined }]} />
      </div>,
    );
    await button.click();
    await expect.element(menu).toBeVisible();
    const { left, right, top, bottom } = menu.element().getBoundingClientRect();
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(innerWidth);
    expect(bottom).toBeLessThanOrEqual(innerHeight);
  });
});
