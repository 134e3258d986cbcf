import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, NEVER, refuse, type ShowOptions, show } from "../../../../testing/show.tsx";
import { useInputs } from "../../../app/playbooks/use-inputs.ts";
import { ApprovalDecision, MissingInputs, useWays } from "./approval-decision.tsx";
import type { ApprovalDetail } from "./approvals-client.ts";

const NOW = new Date("2026-11-19T10:00:00Z");
const APPROVAL: ApprovalDetail = {
  ...{ id: "p1", kind: "playbook", status: "pending", playbook_id: "contain", playbook_version: 3 },
  ...{ action: "playbook.run", justification: "", case_id: null, alert_id: null, parameters: {} },
  ...{ missing_inputs: [], effect: [], effect_hash: "ab", requested_by: "sara", execution_id: null },
  ...{ requested_at: "2026-11-19T09:00:00Z", expires_at: "2026-11-19T13:00:00Z" },
  ...{ decided_by: null, decided_at: null, reason: null },
  ...{ policy: { four_eyes: true, quorum: 1 }, requesters: ["sara"], votes: [] },
};
const PEOPLE = {
  items: [
    { username: "noor", role: "admin" },
    { username: "sara", role: "manager" },
    { username: "layla", role: "manager" },
    { username: "omar", role: "tier1" },
  ],
};
const HOST = { name: "host", type: "text", description: "the host" } as const;

interface PartProps {
  approval?: Partial<ApprovalDetail>;
  isSeen?: boolean;
  hasInput?: boolean;
}

function Part({ approval, isSeen = true, hasInput = false }: PartProps) {
  const shown = { ...APPROVAL, ...approval };
  const form = useInputs(hasInput ? [HOST] : []);
  const ways = useWays(shown, true, NOW);
  if (!ways) return null;
  return (
    <main>
      <h1 tabIndex={-1}>Contain the host</h1>
      <MissingInputs form={form} ways={ways} />
      <ApprovalDecision approval={shown} ways={ways} form={form} isSeen={isSeen} />
    </main>
  );
}

const approve = page.getByRole("button", { name: /^(Approve|Preview approval)/ });
const reject = page.getByRole("button", { name: /^(Reject|Preview rejection)/ });
const DECIDE = "POST /approvals/p1/decide";

function showPart(props: PartProps = {}, answers: Answers = {}, options: ShowOptions = {}) {
  return show(<Part {...props} />, {
    answers: { [DECIDE]: { ...APPROVAL, status: "approved" }, ...answers },
    ...options,
  });
}

// docs/operations/console.md: `⇧Y` approve, `⇧R` reject, each after the effect was in sight for a second.
describe("the decision about an approval", () => {
  it("cannot be made before the effect was in sight, and says so", async () => {
    const { requests } = await showPart({ isSeen: false });
    await expect.element(page.getByText("Scroll to the end of the effect to enable approval.")).toBeVisible();
    await expect.element(approve).toHaveAttribute("aria-disabled", "true");
    await approve.click({ force: true });
    await userEvent.keyboard("{Shift>}y{/Shift}");
    expect(requests.some(({ name }) => name === DECIDE)).toBe(false);
  });

  it("approves by Shift and Y, with the reason", async () => {
    const { requests } = await showPart();
    await page.getByRole("textbox", { name: "Reason" }).fill("  agreed with the shift  ");
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByRole("textbox", { name: "Reason" })).not.toHaveFocus();
    await userEvent.keyboard("{Shift>}y{/Shift}");
    await expect
      .poll(() => requests.filter(({ name }) => name === DECIDE))
      .toEqual([{ name: DECIDE, body: { approved: true, reason: "agreed with the shift" } }]);
    await expect.element(page.getByText("Approved.", { exact: true })).toBeVisible();
  });

  it("rejects by its button, and never by Enter on a focused button", async () => {
    const { requests } = await showPart();
    await expect.element(reject).toBeVisible();
    const button = reject.element();
    if (button instanceof HTMLElement) button.focus();
    await userEvent.keyboard("{Enter}");
    expect(requests.some(({ name }) => name === DECIDE)).toBe(false);
    await reject.click();
    await expect.poll(() => requests.find(({ name }) => name === DECIDE)?.body).toEqual({ approved: false });
  });

  it("sends one decision however often its key is pressed", async () => {
    const { requests } = await showPart({}, { [DECIDE]: NEVER });
    await expect.element(approve).toBeVisible();
    await userEvent.keyboard("{Shift>}yy{/Shift}");
    await expect.element(approve).toHaveAttribute("aria-busy", "true");
    await userEvent.keyboard("{Shift>}r{/Shift}");
    expect(requests.filter(({ name }) => name === DECIDE)).toHaveLength(1);
  });

  it("marks a missing input and sends nothing until it is set; a rejection needs none", async () => {
    const { requests } = await showPart({ hasInput: true });
    const host = page.getByRole("textbox", { name: "host" });
    await approve.click();
    await expect.element(host).toHaveAccessibleDescription("A value is required.");
    expect(requests.some(({ name }) => name === DECIDE)).toBe(false);
    await host.fill("ws-4");
    await approve.click();
    await expect
      .poll(() => requests.find(({ name }) => name === DECIDE)?.body)
      .toEqual({
        approved: true,
        parameters: { host: "ws-4" },
      });
  });

  it("states why the service refused, as an alert", async () => {
    await showPart({}, { [DECIDE]: refuse(409, "approval 'p1' was already decided") });
    await approve.click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("Approval 'p1' was already decided.");
  });

  it("is a preview in dry run, and impossible in dummy mode", async () => {
    const preview = { dry_run: true, preview: { ...APPROVAL, status: "approved" } };
    await showPart({}, { [DECIDE]: preview }, { mode: "dry_run" });
    await expect.element(approve).toHaveTextContent("Preview approval");
    await approve.click();
    await expect.element(page.getByText(/Dry run: nothing was decided.*approved/)).toBeVisible();
  });

  it("is impossible in dummy mode, with the reason", async () => {
    await showPart({}, {}, { mode: "dummy" });
    await expect.element(page.getByText("Dummy mode: nothing can be decided.")).toBeVisible();
    await expect.element(approve).toHaveAttribute("aria-disabled", "true");
  });
});

describe("an approval that the user cannot decide", () => {
  const OWN = { requested_by: "noor", requesters: ["noor"] };

  it("names the rule of four eyes and who can decide instead", async () => {
    await showPart({ approval: OWN }, { "GET /directory/users": PEOPLE });
    await expect.element(page.getByText("You requested this. Four eyes: another person decides.")).toBeVisible();
    await expect.element(page.getByText(/^Who can decide: sara, layla$/)).toBeVisible();
    await expect.element(approve).not.toBeInTheDocument();
  });

  it("names no people before they have been read", async () => {
    await showPart({ approval: OWN }, { "GET /directory/users": NEVER });
    await expect.element(page.getByText("You requested this. Four eyes: another person decides.")).toBeVisible();
    await expect.element(page.getByText(/Who can decide/)).not.toBeInTheDocument();
  });

  it("states that no other user can decide only when the service has answered so", async () => {
    await showPart({ approval: OWN }, { "GET /directory/users": { items: [] } });
    await expect.element(page.getByText(/No other active user can decide/)).toBeVisible();
  });

  it("states that the people could not be read", async () => {
    await showPart({ approval: OWN }, { "GET /directory/users": refuse(503, "database is not available") });
    await expect.element(page.getByText(/Database is not available/)).toBeVisible();
    await expect.element(page.getByText(/No other active user can decide/)).not.toBeInTheDocument();
  });
});
