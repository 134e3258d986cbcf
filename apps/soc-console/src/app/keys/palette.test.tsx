import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type ShowOptions, show } from "../../../testing/show.tsx";
import type { Command } from "./commands.ts";
import { useCommands } from "./commands-context.tsx";
import { KeySheet } from "./key-sheet.tsx";
import { Palette, type PaletteProps } from "./palette.tsx";

function Commands({ commands }: { commands: readonly Command[] }) {
  useCommands(commands);
  return <input aria-label="Note" />;
}

const field = page.getByRole("combobox", { name: "Search and commands" });
const option = (name: string | RegExp) => page.getByRole("option", { name });
const note = page.getByRole("dialog").getByRole("status");

async function openPalette(props: Partial<PaletteProps> = {}, options: ShowOptions = {}) {
  const runs: string[] = [];
  const opened: string[] = [];
  const refused: string[] = [];
  const build = (label: string, rest: Partial<Command> = {}): Command => ({
    id: label,
    label,
    group: "Alerts",
    run: () => void runs.push(label),
    ...rest,
  });
  const commands = [
    build("Take the alert", { keys: ["a"] }),
    build("Assign the alert", { isEnabled: false, reason: "Nothing is selected" }),
    build("Move down", { isHidden: true, keys: ["j"] }),
    build("Open the ledger", { group: "Go to" }),
  ];
  await show(
    <>
      <Commands commands={commands} />
      <Palette onNavigate={(href) => opened.push(href)} {...props} />
      <KeySheet />
    </>,
    { onRefused: (label) => refused.push(label), ...options },
  );
  return { runs, opened, refused };
}

const readActive = () =>
  document.getElementById(field.element().getAttribute("aria-activedescendant") ?? "")?.textContent;

// WAI-ARIA Authoring Practices, "Combobox Pattern", with a listbox; docs/operations/console.md, "Keys".
describe("the palette", () => {
  it("opens by Ctrl and K also while a field has the focus, and returns the focus on Escape", async () => {
    await openPalette();
    const input = page.getByRole("textbox", { name: "Note" });
    await input.click();
    await userEvent.keyboard("{Control>}k{/Control}");
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(input).toHaveFocus();
  });

  it("finds a command by a few of its letters, and runs it by Enter after it has closed", async () => {
    const { runs } = await openPalette();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("ledg");
    await expect.element(page.getByRole("option")).toHaveTextContent("Open the ledger");
    await userEvent.keyboard("{Enter}");
    await expect.element(field).not.toBeInTheDocument();
    expect(runs).toEqual(["Open the ledger"]);
  });

  it("moves the active option by the arrows, around both ends, and names it to screen readers", async () => {
    await openPalette();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("the");
    await expect.element(page.getByRole("option", { selected: true })).toBeVisible();
    const first = readActive();
    await userEvent.keyboard("{ArrowUp}");
    const last = readActive();
    expect(last).not.toBe(first);
    await userEvent.keyboard("{ArrowDown}");
    expect(readActive()).toBe(first);
    await expect.element(page.getByRole("option", { selected: true })).toHaveTextContent(first ?? "");
  });

  it("lists a command that cannot run with its reason, and refuses it", async () => {
    const { runs, refused } = await openPalette();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("assign");
    await expect.element(option(/Nothing is selected/)).toHaveAttribute("aria-disabled", "true");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => refused).toEqual(["Assign the alert"]);
    expect(runs).toEqual([]);
  });

  it("does not list commands that only their key runs", async () => {
    await openPalette();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("Move down");
    await expect.element(note).toHaveTextContent("Nothing matches “Move down”");
  });

  it("opens a record that a click chooses", async () => {
    const search = async () => [{ kind: "Alert", title: "C2 beaconing", subtitle: "ws-4", href: "/alerts/7" }];
    const { opened } = await openPalette({ search });
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("beac");
    await option(/C2 beaconing/).click();
    expect(opened).toEqual(["/alerts/7"]);
  });

  it("distinguishes a search that runs, one that failed and one that found nothing", async () => {
    const answers: ((result: Error | undefined) => void)[] = [];
    const search = () =>
      new Promise<never[]>((resolve, reject) => {
        answers.push((error) => (error ? reject(error) : resolve([])));
      });
    await openPalette({ search });
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("zzz");
    await expect.element(note).toHaveTextContent(/^Searching$/);
    await expect.poll(() => answers.length).toBe(1);
    answers[0]?.(new Error("database is not available"));
    await expect.element(note).toHaveTextContent(/^Records could not be searched: database is not available$/);
    await userEvent.keyboard("y");
    await expect.poll(() => answers.length).toBe(2);
    answers[1]?.(undefined);
    await expect.element(note).toHaveTextContent(/^Nothing matches “zzzy”$/);
  });

  it("reads from right to left in Arabic, with the key of a command at the left", async () => {
    await openPalette({}, { language: "ar" });
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.keyboard("Take");
    const chosen = page.getByRole("option");
    await expect.element(chosen).toBeVisible();
    const key = chosen.getByText("A", { exact: true });
    const [keyBox, box] = [key.element().getBoundingClientRect(), chosen.element().getBoundingClientRect()];
    expect(keyBox.left - box.left).toBeLessThan(box.right - keyBox.right);
  });
});

describe("the sheet of keys", () => {
  it("lists every command that has a key, also those that the palette hides, by group", async () => {
    await openPalette();
    await userEvent.keyboard("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect.element(sheet.getByRole("heading", { name: "Alerts" })).toBeVisible();
    await expect.element(sheet.getByText("Move down")).toBeVisible();
    await expect.element(sheet.getByText("Take the alert")).toBeVisible();
    await expect.element(sheet.getByText("Open the ledger")).not.toBeInTheDocument();
  });

  it("does not open while a person types", async () => {
    await openPalette();
    await page.getByRole("textbox", { name: "Note" }).click();
    await userEvent.keyboard("?");
    await expect.element(page.getByRole("textbox", { name: "Note" })).toHaveValue("?");
    await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  });
});
