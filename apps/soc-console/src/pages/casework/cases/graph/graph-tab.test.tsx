import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import { NEVER, show } from "../../../../../testing/show.tsx";
import type { CasePage } from "../cases-client.ts";
import { GraphTab } from "./graph-tab.tsx";

const NOTHING = /name no host, user or address/;

/** The tab reads only the id of the case and its alerts. */
function showGraph(alerts: object[] | null, graph: unknown = NEVER) {
  const page = { case: { id: "c-1" }, alerts } as unknown as CasePage;
  return show(<GraphTab page={page} />, { answers: { "GET /entities/graph": graph } });
}

test("says that the alerts could not be read, and not that they name nothing", async () => {
  await showGraph(null);
  await expect.element(screen.getByText(/could not be read in time/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByText(NOTHING).query()).toBeNull();
});

test("says that the alerts name nothing when they were read and name nothing", async () => {
  await showGraph([]);
  await expect.element(screen.getByText(NOTHING)).toBeVisible();
});
