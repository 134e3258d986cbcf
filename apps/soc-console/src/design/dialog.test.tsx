import { type ReactNode, useState } from "react";
import { describe, expect, it } from "vitest";
import { cdp, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Dialog } from "./dialog.tsx";
import "./styles.css";

interface PageProps {
  children?: ReactNode;
  /** Its owner does not close it, such as the dialog of a session that has ended. */
  isRequired?: boolean;
  asked?: string[];
}

function Page({ children, isRequired = false, asked = [] }: PageProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    asked.push("close");
    if (!isRequired) setIsOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Delete
      </button>
      <Dialog title="Delete the case" isOpen={isOpen} onClose={close} closeLabel="Close" actions={ACTION}>
        {children}
      </Dialog>
    </>
  );
}

const ACTION = <button type="button">Yes</button>;

/** As a person presses it. To the browser a key of `userEvent` is a click as well, after which a page may refuse again. */
async function pressEscape(): Promise<void> {
  const key = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
  await cdp().send("Input.dispatchKeyEvent", { type: "keyDown", ...key });
  await cdp().send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}

async function openDialog(props: PageProps = {}) {
  const page = await render(<Page {...props} />);
  const opener = page.getByRole("button", { name: "Delete" });
  await opener.click();
  const dialog = page.getByRole("dialog", { name: "Delete the case" });
  await expect.element(dialog).toBeVisible();
  return { page, opener, dialog };
}

const FIELD = (
  <label>
    Reason <input />
  </label>
);

// WAI-ARIA Authoring Practices, "Dialog (Modal) Pattern".
describe("a dialog", () => {
  it("focuses its first field", async () => {
    const { page } = await openDialog({ children: FIELD });
    await expect.element(page.getByRole("textbox", { name: "Reason" })).toHaveFocus();
  });

  it("keeps the focus inside when Tab passes its last control", async () => {
    const { opener, page } = await openDialog({ children: FIELD });
    const names: (string | null)[] = [];
    for (let press = 0; press < 5; press += 1) {
      await userEvent.keyboard("{Tab}");
      names.push(document.activeElement?.textContent || document.activeElement?.getAttribute("aria-label") || "");
    }
    expect(names).toContain("Yes");
    expect(names).toContain("Close");
    expect(names).not.toContain("Delete");
    await expect.element(opener).not.toHaveFocus();
    await expect.element(page.getByRole("dialog")).toBeVisible();
  });

  it("closes on Escape, and returns the focus to what opened it", async () => {
    const { opener, dialog } = await openDialog({ children: FIELD });
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(opener).toHaveFocus();
  });

  it("closes by its closing button and by a click beside it, not by a click inside", async () => {
    const { page, opener, dialog } = await openDialog({ children: FIELD });
    await page.getByRole("heading", { name: "Delete the case" }).click();
    await expect.element(dialog).toBeVisible();
    await page.getByRole("button", { name: "Close" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await opener.click();
    await expect.element(dialog).toBeVisible();
    await userEvent.click(document.documentElement, { position: { x: 5, y: 400 }, force: true });
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("stays open and usable however often Escape is pressed, while its owner keeps it open", async () => {
    const asked: string[] = [];
    const { page, dialog } = await openDialog({ children: FIELD, isRequired: true, asked });
    for (let press = 1; press <= 5; press += 1) {
      await pressEscape();
      await expect.poll(() => asked.length).toBe(press);
    }
    await userEvent.keyboard("duplicate");
    await expect.element(page.getByRole("textbox", { name: "Reason" })).toHaveValue("duplicate");
    await expect.element(dialog).toBeVisible();
  });
});
