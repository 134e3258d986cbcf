import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import { show } from "../../../../testing/show.tsx";
import type { Reading } from "../../../app/reading/reading.ts";
import { WallTile } from "./wall-tile.tsx";

interface Answer {
  items: string[];
  total: number;
}

const readAgain = () => undefined;
const read = (data: Answer, error?: unknown): Reading<Answer> => ({ state: "read", data, readAt: 0, error, readAgain });

const showTile = (reading: Reading<Answer> | undefined) =>
  show(
    <WallTile
      name="cases"
      reading={reading}
      toneOf={() => "high"}
      contentOf={({ items, total }) => ({
        count: items.length,
        isAtLeast: total > items.length,
        lines: items.map((text) => ({ key: text, text })),
      })}
    />,
  );

const NONE = "No case is overdue or unassigned";

test.each<[string, Reading<Answer>, string[]]>([
  ["loading", { state: "loading" }, ["Cases", "Loading…"]],
  ["failed", { state: "failed", error: new Error("down"), readAgain }, ["Cases", "could not be read"]],
  ["empty", read({ items: [], total: 0 }), [NONE]],
  ["partial and empty", read({ items: [], total: 300 }), ["None of those that were read"]],
  ["full", read({ items: ["Phishing"], total: 1 }), ["1", "case is overdue or unassigned", "Phishing"]],
  ["partial", read({ items: ["Phishing"], total: 300 }), ["1+", "case is overdue or unassigned", "Phishing"]],
])("shows a tile that is %s as such", async (_state, reading, texts) => {
  await showTile(reading);
  for (const text of texts) await expect.element(screen.getByText(text, { exact: true }).first()).toBeVisible();
  if (!texts.includes(NONE)) expect(screen.getByText(NONE).query()).toBeNull();
});

test("shows the age of an answer that could not be read again", async () => {
  await showTile(read({ items: ["Phishing"], total: 1 }, new Error("down")));
  await expect.element(screen.getByText(/could not be read · as of/)).toBeVisible();
  await expect.element(screen.getByText("Phishing")).toBeVisible();
});
