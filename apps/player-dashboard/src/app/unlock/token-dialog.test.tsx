import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { PENDING, Refusal, type ShowOptions, show, TOKEN, UNREACHABLE } from "../../../testing/show.tsx";

const WAYS = { screen: true, button: true, sound: true, console: true };
const PAIRING = { open: false, paired: true, ways: WAYS, hold_s: 5, command: "manara-player pair" };

async function ask(answers: ShowOptions["answers"] = {}, language: "en" | "ar" = "en") {
  const shown = show(null, { answers: { "GET /pairing": PAIRING, ...answers }, token: "", language });
  const isUnlocked = shown.app.tokens.ask("needed");
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toBeVisible();
  return { ...shown, dialog, isUnlocked };
}
const field = page.getByRole("textbox", { name: "Code or token" });
const button = page.getByRole("button", { name: "Unlock" });

describe("the dialog that unlocks the player", () => {
  it("focuses its field and explains how this device shows a code", async () => {
    const { dialog } = await ask();
    await expect.element(field).toHaveFocus();
    await expect.element(dialog).toHaveTextContent("Hold the player's button for 5 seconds.");
  });

  it.each([
    ["does not answer", PENDING],
    ["is unreachable", UNREACHABLE],
  ])("accepts a code without an explanation while the device %s", async (_what, pairing) => {
    const { isUnlocked, dialog } = await ask({ "GET /pairing": pairing, "POST /pairing": { token: TOKEN } });
    await expect.element(dialog).not.toHaveTextContent("Hold the player's button");
    await userEvent.fill(field, "123456");
    await userEvent.click(button);
    expect(await isUnlocked).toBe(true);
  });

  it("sends a code in Arabic digits as Western ones, keeps the token and closes", async () => {
    const { app, sent, isUnlocked, dialog } = await ask({ "POST /pairing": { token: TOKEN } });
    await userEvent.fill(field, "١٢٣ ٤٥٦");
    await userEvent.keyboard("{Enter}");
    expect(await isUnlocked).toBe(true);
    expect(sent.at(-1)).toMatchObject({ path: "/pairing", body: { code: "123456" } });
    expect(app.tokens.token.value).toBe(TOKEN);
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it.each([
    ["401", new Refusal(401), "Wrong code or token. Check it and try again."],
    ["400", new Refusal(400), "This code is no longer valid. Get a new one."],
    ["429", new Refusal(429), "Too many wrong codes. Wait until this code has expired, then get a new one."],
    ["no answer", UNREACHABLE, "The player did not respond. Try again."],
  ])("explains a code that the device answers with %s, and stays open", async (_what, answer, text) => {
    const { app } = await ask({ "POST /pairing": answer });
    await userEvent.fill(field, "123456");
    await userEvent.click(button);
    await expect.element(field).toHaveAccessibleDescription(text);
    await expect.element(field).toHaveAttribute("aria-invalid", "true");
    expect(app.tokens.token.value).toBeUndefined();
    await userEvent.fill(field, "1234567");
    await expect.element(field).toHaveAttribute("aria-invalid", "false");
  });

  it("sends nothing for a text that is neither a code nor a token", async () => {
    const { sent } = await ask();
    await userEvent.fill(field, "12345");
    await userEvent.click(button);
    await expect
      .element(field)
      .toHaveAccessibleDescription("Type the six digits of the code, or paste the link or the token.");
    expect(sent.filter(({ method }) => method === "POST")).toEqual([]);
  });

  it.each(["Escape", "Not now", "Close"])("declines by %s", async (way) => {
    const { isUnlocked, app } = await ask();
    if (way === "Escape") await userEvent.keyboard("{Escape}");
    else await userEvent.click(page.getByRole("button", { name: way }));
    expect(await isUnlocked).toBe(false);
    expect(app.tokens.token.value).toBeUndefined();
  });

  it("asks in Arabic", async () => {
    await ask({}, "ar");
    await expect.element(page.getByRole("dialog", { name: "افتح قفل المشغّل" })).toBeVisible();
    await expect.element(page.getByRole("dialog")).toHaveTextContent("اضغط زر المشغّل");
  });
});
