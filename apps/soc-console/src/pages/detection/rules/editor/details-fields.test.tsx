import { useState } from "react";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { show } from "../../../../../testing/show.tsx";
import type { RuleType } from "../rules-client.ts";
import { TypeDetails } from "./details-fields.tsx";
import { createDraft, type DetailsDraft } from "./rule-draft.ts";

function Fields({ type, drafts = [] }: { type: RuleType; drafts?: DetailsDraft[] }) {
  const [details, setDetails] = useState(createDraft().details);
  const change = (changes: Partial<DetailsDraft>) => {
    const next = { ...details, ...changes };
    drafts.push(next);
    setDetails(next);
  };
  return <TypeDetails type={type} details={details} onChange={change} onRun={() => undefined} />;
}

const steps = page.getByRole("textbox", { name: /^Step \d$/ });
const remove = page.getByRole("button", { name: /^Remove step/ });
const add = page.getByRole("button", { name: "Add a step" });

it("asks a threshold for its number, its fields and its time", async () => {
  const drafts: DetailsDraft[] = [];
  await show(<Fields type="threshold" drafts={drafts} />);
  await expect.element(page.getByRole("spinbutton", { name: "Threshold" })).toHaveValue(5);
  await page.getByRole("textbox", { name: /^Group by/ }).fill("user");
  await page.getByRole("combobox", { name: "Within" }).selectOptions("seconds");
  expect(drafts.at(-1)).toMatchObject({ groupBy: "user", withinUnit: "seconds", count: "5" });
});

it("asks new terms for their fields and days, and a plain query for nothing more", async () => {
  await show(<Fields type="new_terms" />);
  await expect.element(page.getByRole("textbox", { name: /^New values of/ })).toBeVisible();
  await expect.element(page.getByRole("spinbutton", { name: "History (days)" })).toHaveValue(7);
});

it("has at least two and at most five steps in a sequence", async () => {
  await show(<Fields type="sequence" />);
  await expect.poll(() => steps.elements().length).toBe(2);
  await expect.element(remove).not.toBeInTheDocument();
  for (const count of [3, 4, 5]) {
    await add.click();
    await expect.poll(() => steps.elements().length).toBe(count);
  }
  await expect.element(add).not.toBeInTheDocument();
});

it("removes the step that its button names, and keeps the others", async () => {
  const drafts: DetailsDraft[] = [];
  await show(<Fields type="sequence" drafts={drafts} />);
  await add.click();
  const names = ["host:a", "host:b", "host:c"];
  for (const [at, text] of names.entries()) await page.getByRole("textbox", { name: `Step ${at + 1}` }).fill(text);
  await page.getByRole("button", { name: "Remove step 2" }).click();
  await expect.poll(() => drafts.at(-1)?.steps).toEqual(["host:a", "host:c"]);
});
