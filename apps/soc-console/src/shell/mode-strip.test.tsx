import { useQueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { NEVER, refuse, type ShowOptions, show } from "../../testing/show.tsx";
import { ModeStrip } from "./mode-strip.tsx";

const TRUTH = {
  is_database_available: true,
  showcase_reads_allowed: false,
  uses_showcase_data: false,
  read_data_source: "database",
  is_mutations_allowed: true,
  is_internal_workflows_allowed: true,
  is_external_actions_allowed: true,
};
const strip = page.getByRole("status").first();

function AskAgain() {
  const queries = useQueryClient();
  return (
    <button type="button" onClick={() => void queries.invalidateQueries()}>
      Ask again
    </button>
  );
}

const showStrip = (answer: unknown, options: ShowOptions = {}) =>
  show(
    <>
      <ModeStrip />
      <AskAgain />
    </>,
    { answers: { "GET /system/mode": answer }, ...options },
  );

// docs/operations/console.md, "What every page shows".
it.each([
  ["real", "REAL", "Changes are stored, and actions reach real systems."],
  ["dry_run", "DRY RUN", "Your changes are previews. Nothing leaves this platform."],
  ["dummy", "DUMMY", "Invented data. Changes are refused."],
])("names the mode %s and what it means", async (mode, name, meaning) => {
  await showStrip({ ...TRUTH, mode });
  await expect.element(strip).toHaveTextContent(name);
  await expect.element(strip).toHaveTextContent(meaning);
  await expect.element(strip).toHaveTextContent("Database up · Live");
});

it("names no mode and no database before the service has answered", async () => {
  await showStrip(NEVER);
  await expect.element(strip).toHaveTextContent(/^Live$/);
});

it("states that the database is down, and since when the page is old", async () => {
  let isDown = false;
  await showStrip(() => (isDown ? refuse(503, "database is not available") : { ...TRUTH, mode: "real" }));
  await expect.element(strip).toHaveTextContent("Database up");
  isDown = true;
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect.element(strip).toHaveTextContent(/The page shows data as of \d\d:\d\d:\d\d\./);
  await expect.element(strip).toHaveTextContent("Database down");
});

it("states nothing about the database while the service does not answer", async () => {
  let isDown = false;
  await showStrip(() => (isDown ? Promise.reject(new TypeError("Failed to fetch")) : { ...TRUTH, mode: "real" }));
  await expect.element(strip).toHaveTextContent("Database up");
  isDown = true;
  await page.getByRole("button", { name: "Ask again" }).click();
  await expect.element(strip).toHaveTextContent("The service does not respond. The page shows its last data.");
  await expect.element(strip).not.toHaveTextContent("Database");
});

it("is written from right to left in Arabic", async () => {
  await showStrip({ ...TRUTH, mode: "real" }, { language: "ar" });
  await expect.element(strip).toHaveTextContent("حقيقي");
  expect(getComputedStyle(strip.element()).direction).toBe("rtl");
});
