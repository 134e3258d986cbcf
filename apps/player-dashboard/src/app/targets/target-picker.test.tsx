import { useState } from "preact/hooks";
import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { PENDING, type ShowOptions, show, UNREACHABLE } from "../../../testing/show.tsx";
import { EMPTY_DRAFT, type TargetDraft } from "./target-draft.ts";
import { TargetPicker } from "./target-picker.tsx";

let latest: TargetDraft;
function Form({ initial }: { initial: Partial<TargetDraft> }) {
  const [draft, setDraft] = useState<TargetDraft>({ ...EMPTY_DRAFT, ...initial });
  latest = draft;
  return <TargetPicker draft={draft} onChange={setDraft} />;
}
const open = (answers: ShowOptions["answers"] = {}, initial: Partial<TargetDraft> = {}) =>
  show(<Form initial={initial} />, { answers });

const reciter = (name: string) => ({ name, path: name, surah_count: 1, complete: false, bytes: 0 });
const withReciters = (...names: string[]) => ({ "GET /library/reciters": { reciters: names.map(reciter) } });
const reciters = page.getByRole("combobox", { name: "Reciter" });
const mode = page.getByRole("combobox", { name: "Repeat" });

describe("the choice of a surah", () => {
  it("says that the reciters are loading", async () => {
    open({ "GET /library/reciters": PENDING });
    await expect.element(page.getByRole("status", { name: "Loading…" })).toBeInTheDocument();
    await expect.element(page.getByText(/No reciters found/)).not.toBeInTheDocument();
  });

  it("says that the device did not answer, and tries again", async () => {
    const { answers } = open({ "GET /library/reciters": UNREACHABLE });
    await expect.element(page.getByText("The player did not respond. Nothing was changed.")).toBeVisible();
    await expect.element(page.getByText(/No reciters found/)).not.toBeInTheDocument();
    Object.assign(answers, withReciters("Husary", "Minshawi"));
    await userEvent.click(page.getByRole("button", { name: "Try again" }));
    await expect.element(reciters).toBeVisible();
  });

  it("says that the card has no reciter", async () => {
    open(withReciters());
    await expect.element(page.getByText(/^No reciters found\. Insert a memory card/)).toBeVisible();
  });

  it("selects the only reciter, and leaves the choice among several to the user", async () => {
    open(withReciters("Husary"));
    await expect.poll(() => latest.reciter).toBe("Husary");
  });

  it("keeps a chosen reciter whose folder is missing", async () => {
    open(withReciters("Husary", "Minshawi"), { reciter: "Sudais" });
    await expect.element(reciters).toHaveValue("Sudais");
    expect(latest.reciter).toBe("Sudais");
  });
});

describe("the repeat fields", () => {
  it("offer rounds and a pause only for hifz, and two surahs only for a range", async () => {
    open(withReciters("Husary"));
    const rounds = page.getByRole("group", { name: "Number of rounds" });
    const from = page.getByRole("combobox", { name: "From" });
    await expect.element(mode).toBeVisible();
    await expect.element(rounds).not.toBeInTheDocument();
    await userEvent.selectOptions(mode, "Hifz: repeat with pauses");
    await expect.element(rounds).toBeVisible();
    await expect.element(from).not.toBeInTheDocument();
    await userEvent.selectOptions(mode, "Hifz: several surahs");
    await expect.element(from).toBeVisible();
  });

  it("move the end of a range along when its start passes it, and the start with the end", async () => {
    open(withReciters("Husary"), { mode: { ...EMPTY_DRAFT.mode, mode: "hifz_ab", from: 2, to: 3 } });
    await userEvent.selectOptions(page.getByRole("combobox", { name: "From" }), "5");
    expect(latest.mode).toMatchObject({ from: 5, to: 5 });
    await userEvent.selectOptions(page.getByRole("combobox", { name: "To" }), "4");
    expect(latest.mode).toMatchObject({ from: 4, to: 4 });
  });

  it("allow endless rounds of one surah, and at least one round of a range", async () => {
    open(withReciters("Husary"), { mode: { ...EMPTY_DRAFT.mode, mode: "hifz_repeat", repeat: 1 } });
    const less = page.getByRole("button", { name: "Less: Number of rounds" });
    await userEvent.click(less);
    expect(latest.mode.repeat).toBe(0);
    await expect.element(page.getByRole("group", { name: "Number of rounds" })).toHaveTextContent("∞");
    await expect.element(less).toBeDisabled();
    await userEvent.selectOptions(mode, "Hifz: several surahs");
    await expect.element(page.getByRole("group", { name: "Number of rounds" })).toHaveTextContent("1");
    await expect.element(less).toBeDisabled();
  });
});

describe("the volume of a target", () => {
  it("starts at 50 before the device has reported its own, and can be removed again", async () => {
    open(withReciters("Husary"));
    const own = page.getByRole("switch", { name: "Set the volume" });
    await userEvent.click(own);
    expect(latest.volume).toBe(50);
    await expect.element(page.getByRole("slider", { name: "Volume" })).toHaveValue("50");
    await userEvent.click(own);
    expect(latest.volume).toBeUndefined();
  });

  it("is not offered for a command", async () => {
    open(withReciters("Husary"), { kind: "command" });
    await expect.element(page.getByRole("switch", { name: "Set the volume" })).not.toBeInTheDocument();
    await expect.element(mode).not.toBeInTheDocument();
  });
});
