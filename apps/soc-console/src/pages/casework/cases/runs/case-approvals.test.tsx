import { describe, expect, it } from "vitest";
import { ME, type ShowOptions, show } from "../../../../../testing/show.tsx";
import { CaseApprovals, useCaseApprovals } from "./case-approvals.tsx";

const GRANTED = {
  id: "a1",
  kind: "playbook",
  status: "approved",
  playbook_id: "contain-host",
  action: "Contain host ws-7",
  case_id: "c1",
  alert_id: null,
  parameters: { host: "ws-7" },
  missing_inputs: [],
  requested_by: "omar",
  decided_by: "layla",
  requested_at: "2026-11-01T00:00:00Z",
  expires_at: "2999-01-01T00:00:00Z",
  execution_id: null,
};
const RUN = { execution_id: "e1", playbook_id: "contain-host", playbook_name: "Contain host", status: "queued" };
const EXECUTE = "POST /soar/playbooks/contain-host/execute";

function Tab() {
  return (
    <CaseApprovals {...useCaseApprovals({ case: { id: "c1" }, approvals: [] })} caseId="c1" onBegun={() => undefined} />
  );
}

const showTab = (answer: unknown, options: ShowOptions = {}) =>
  show(<Tab />, {
    ...options,
    answers: {
      "GET /approvals/mine": { items: [], total: 0 },
      "GET /approvals": { items: [GRANTED], total: 1 },
      [EXECUTE]: answer,
    },
  });

describe("an approval that was granted for a playbook of the case", () => {
  it("is offered to every caller who may execute playbooks, not only to its requester", async () => {
    const { page, requests } = await showTab(RUN);
    expect(ME.username).not.toBe(GRANTED.requested_by);
    await page.getByRole("button", { name: "Run it now" }).click();
    await expect.element(page.getByText(/Contain host ws-7.? started/)).toBeVisible();
    expect(requests).toContainEqual({ name: EXECUTE, body: { case_id: "c1", parameters: { host: "ws-7" } } });
  });

  it("is only previewed in dry_run, and the console says so", async () => {
    const { page } = await showTab({ dry_run: true, preview: { effects: [] } }, { mode: "dry_run" });
    await page.getByRole("button", { name: "Run it now" }).click();
    await expect.element(page.getByText(/Contain host ws-7.?: preview only, nothing was run/)).toBeVisible();
    expect(page.getByText(/ws-7.? started/).elements()).toEqual([]);
  });
});
