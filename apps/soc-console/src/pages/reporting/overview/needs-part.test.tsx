import { expect, test } from "vitest";
import { page as screen } from "vitest/browser";
import { NEVER, refuse, type ShowOptions, show } from "../../../../testing/show.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { NeedsPart, useNeeds } from "./needs-part.tsx";
import { createOverviewClient } from "./overview-client.ts";

function Part() {
  const { server } = useApp();
  return <NeedsPart needs={useNeeds(createOverviewClient(server))} />;
}

const NOTHING = {
  alerts: {
    total: 0,
    unassigned: 0,
    mine: 0,
    by_severity: { critical: 0, high: 0, medium: 0, low: 0 },
    is_estimate: false,
  },
  cases: { total: 0, unassigned: 0, mine: 0 },
  approvals: { total: 0, next_expires_at: null },
  inbox: { unread: 0 },
  is_partial: false,
  partial: [],
};
const CALM = /Nothing needs your attention/;

const showNeeds = (attention: unknown, options: ShowOptions = {}) =>
  show(<Part />, { ...options, answers: { "GET /stats/attention": attention, ...options.answers } });

test("says that nothing needs attention only when the service has said so", async () => {
  await showNeeds(NOTHING);
  await expect.element(screen.getByText(CALM)).toBeVisible();
});

test("does not say that nothing needs attention before the answer", async () => {
  const { requests } = await showNeeds(NEVER);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  expect(screen.getByText(CALM).query()).toBeNull();
});

test("says that the counts could not be read, and reads them again on request", async () => {
  let isDown = true;
  await showNeeds(() => (isDown ? refuse(503, "the database is unavailable") : NOTHING));
  await expect.element(screen.getByText(/could not be read/)).toBeVisible();
  expect(screen.getByText(CALM).query()).toBeNull();
  isDown = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText(CALM)).toBeVisible();
});

test("does not call a partial answer complete", async () => {
  await showNeeds({ ...NOTHING, alerts: null, is_partial: true, partial: ["alerts"] });
  await expect.element(screen.getByText(/could not be read/)).toBeVisible();
  expect(screen.getByText(CALM).query()).toBeNull();
});

test("shows a high alert and its case without an assignee, which need a person", async () => {
  await showNeeds({
    ...NOTHING,
    alerts: { ...NOTHING.alerts, total: 1, unassigned: 1, by_severity: { critical: 0, high: 1, medium: 0, low: 0 } },
    cases: { total: 1, unassigned: 1, mine: 0 },
    approvals: { total: 2, next_expires_at: "2126-11-20T00:00:00Z" },
  });
  await expect.element(screen.getByRole("link", { name: /1 alert needs attention, 1 High/ })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: /1 open case has no assignee/ })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: /2 approvals pending, the first ends/ })).toBeVisible();
});
