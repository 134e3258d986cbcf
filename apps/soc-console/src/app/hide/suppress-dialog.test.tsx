import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { type AnswerRequest, type Answers, NEVER, refuse, type ShowOptions, show } from "../../../testing/show.tsx";
import { SuppressDialog } from "./suppress-dialog.tsx";

const PREVIEW = "POST /detections/rules/r1/suppressions/preview";
const CREATE = "POST /detections/rules/r1/suppressions";
const PRICE = { would_suppress: 12, total: 40, hidden_alerts: 3, hidden_true_positives: 0, is_capped: false };

const suppress = page.getByRole("button", { name: "Suppress", exact: true });
const price = page.getByRole("status").filter({ hasText: "Impact" });
const reason = page.getByRole("textbox", { name: "Reason" });
const understood = page.getByRole("checkbox", { name: "I understand that this hides confirmed attacks" });

async function openDialog(answers: Answers, options: ShowOptions = {}) {
  const closed: string[] = [];
  const shown = await show(
    <SuppressDialog
      ruleId="r1"
      name="Backups"
      criteria={{ host: "ws-4", user: "backup" }}
      onClose={() => closed.push("closed")}
    />,
    { answers, ...options },
  );
  return { ...shown, closed };
}

it("cannot suppress before the price is known, and states that it is asked for", async () => {
  await openDialog({ [PREVIEW]: NEVER });
  await expect.element(price).toHaveTextContent("Calculating impact…");
  await expect.element(suppress).toBeDisabled();
});

it("states why the price could not be read, and cannot suppress", async () => {
  await openDialog({ [PREVIEW]: refuse(503, "the log engine is not available") });
  await expect.element(price).toHaveTextContent("The log engine is not available.");
  await expect.element(price).not.toHaveTextContent("hides");
  await expect.element(suppress).toBeDisabled();
});

it("shows a price of nothing as numbers", async () => {
  await openDialog({ [PREVIEW]: { ...PRICE, would_suppress: 0, total: 0, hidden_alerts: 0 } });
  await expect.element(price).toHaveTextContent("hides 0 of 0 matches, 0 alerts, 0 confirmed true");
  await expect.element(suppress).toBeEnabled();
});

it("states that a partial price is a minimum", async () => {
  await openDialog({ [PREVIEW]: { ...PRICE, is_capped: true } });
  await expect.element(price).toHaveTextContent("Only part of the logs was searched: it hides at least this much.");
});

it("asks for a reason, then sends the criteria with an end", async () => {
  const { requests, closed } = await openDialog({
    [PREVIEW]: PRICE,
    [CREATE]: { id: "s1", expires_at: "2026-11-26T10:00:00Z" },
  });
  await suppress.click();
  await expect.element(reason).toHaveAccessibleDescription("Enter a reason.");
  await reason.fill("nightly backup");
  await suppress.click();
  await expect.poll(() => closed).toEqual(["closed"]);
  expect(requests.find(({ name }) => name === CREATE)?.body).toEqual({
    name: "Backups",
    reason: "nightly backup",
    criteria: { host: "ws-4", user: "backup" },
    suppress_for_hours: 168,
  });
});

it("asks for the price again when a criterion is removed, and needs at least one", async () => {
  const asked: unknown[] = [];
  const answer = ({ body }: AnswerRequest) => {
    asked.push(body);
    return PRICE;
  };
  await openDialog({ [PREVIEW]: answer });
  await page.getByRole("button", { name: "Remove user" }).click();
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ criteria: { host: "ws-4" } });
  await page.getByRole("button", { name: "Remove host" }).click();
  await expect.element(price).toHaveTextContent("Enter at least one value.");
  await expect.element(suppress).toBeDisabled();
});

it("asks for a second confirmation when confirmed attacks would be hidden, and again for other criteria", async () => {
  const answer = ({ body }: AnswerRequest) => ({
    ...PRICE,
    hidden_true_positives: JSON.stringify(body).includes("user") ? 1 : 9,
  });
  await openDialog({ [PREVIEW]: answer });
  await expect.element(price).toHaveTextContent("This would have hidden 1 confirmed as true positive.");
  await expect.element(suppress).toBeDisabled();
  await understood.click();
  await expect.element(suppress).toBeEnabled();
  await page.getByRole("button", { name: "Remove user" }).click();
  await expect.element(price).toHaveTextContent("This would have hidden 9 confirmed as true positive.");
  await expect.element(understood).not.toBeChecked();
  await expect.element(suppress).toBeDisabled();
});

it("writes criteria from left to right in Arabic", async () => {
  await openDialog({ [PREVIEW]: PRICE }, { language: "ar" });
  const chip = page.getByText("ws-4", { exact: true });
  await expect.element(chip).toBeVisible();
  expect(getComputedStyle(chip.element()).direction).toBe("ltr");
  expect(getComputedStyle(page.getByRole("dialog").element()).direction).toBe("rtl");
});
