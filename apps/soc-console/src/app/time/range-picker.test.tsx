import { useState } from "react";
import { expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type ShowOptions, show } from "../../../testing/show.tsx";
import type { TimeRange } from "./range.ts";
import { RangePicker } from "./range-picker.tsx";

const picker = page.getByRole("dialog", { name: "Time range" });
const preset = (name: RegExp) => picker.getByRole("button", { name });

function Page({ first, chosen }: { first: TimeRange; chosen: TimeRange[] }) {
  const [range, setRange] = useState(first);
  const change = (next: TimeRange) => {
    chosen.push(next);
    setRange(next);
  };
  return <RangePicker range={range} onChange={change} />;
}

async function openPicker(first: TimeRange = { from: "-24h" }, options: ShowOptions = {}) {
  const chosen: TimeRange[] = [];
  await show(<Page first={first} chosen={chosen} />, options);
  const button = page.getByRole("button").first();
  await button.click();
  await expect.element(page.getByRole("dialog")).toBeVisible();
  return { chosen, button };
}

it("names the range, and focuses the current preset when it opens", async () => {
  const { button } = await openPicker();
  await expect.element(button).toHaveTextContent("Last 24 hours");
  await expect.element(button).toHaveAttribute("aria-expanded", "true");
  await expect.element(preset(/Last 24 hours/)).toHaveFocus();
});

it("moves among the presets by arrows, chooses by Enter and returns the focus", async () => {
  const { chosen, button } = await openPicker();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(picker).not.toBeInTheDocument();
  await expect.element(button).toHaveTextContent("Last 7 days");
  await expect.element(button).toHaveFocus();
  expect(chosen).toEqual([{ from: "-7d" }]);
});

it("closes by Escape and changes nothing", async () => {
  const { chosen, button } = await openPicker();
  await userEvent.keyboard("{Escape}");
  await expect.element(picker).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  expect(chosen).toEqual([]);
});

it("refuses a text that is no range until it is changed, and then takes it", async () => {
  const { chosen } = await openPicker();
  const text = picker.getByRole("textbox", { name: "As text" });
  await text.fill("yesterday-ish");
  await userEvent.keyboard("{Enter}");
  await expect.element(text).toHaveAttribute("aria-invalid", "true");
  await expect.element(text).toHaveAccessibleDescription(/This is not a range/);
  await text.fill("-4h");
  await expect.element(text).not.toHaveAttribute("aria-invalid");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => chosen).toEqual([{ from: "-4h" }]);
});

it("takes two times in UTC, and refuses an end before the beginning", async () => {
  const { chosen } = await openPicker();
  const [from, to] = [picker.getByLabelText("From (UTC)"), picker.getByLabelText("To (UTC)")];
  await from.fill("2026-11-19T10:00");
  await to.fill("2026-11-19T08:00");
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect.element(to).toHaveAccessibleDescription("The range ends before it starts.");
  await to.fill("2026-11-19T12:00");
  await expect.element(to).not.toHaveAttribute("aria-invalid");
  await picker.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => chosen).toHaveLength(1);
  const [range] = chosen;
  expect([range?.from, range?.to].map((at) => new Date(at ?? "").toISOString())).toEqual([
    "2026-11-19T10:00:00.000Z",
    "2026-11-19T12:00:00.000Z",
  ]);
});

it("opens below its button and within the window in Arabic", async () => {
  const { button } = await openPicker({ from: "-1h" }, { language: "ar" });
  await expect.element(button).toHaveTextContent("آخر ساعة");
  const box = page.getByRole("dialog").element().getBoundingClientRect();
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(innerWidth);
  expect(box.top).toBeGreaterThanOrEqual(button.element().getBoundingClientRect().bottom);
});
