import { expect, it } from "vitest";
import { PLAYBOOKS_FOLDER } from "../../testing/harness/response-parts.ts";
import { responseRegistry } from "../../testing/harness/response-registry.ts";
import { readBuiltInPlaybooks } from "../response/playbooks/built-in-playbooks.ts";
import { buildShowcaseApprovals } from "./approvals.ts";
import { buildShowcaseExecutions } from "./executions.ts";
import { buildShowcase } from "./showcase.ts";

it("contains only executions whose alerts and playbook versions exist", async () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const { alerts } = buildShowcase(now);
  const playbooks = await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, responseRegistry());
  for (const execution of buildShowcaseExecutions(now, alerts)) {
    const alert = alerts.find(({ id }) => id === execution.alert_id);
    expect(alert?.created_at.getTime()).toBeLessThanOrEqual(execution.created_at.getTime());
    const known = playbooks.find(({ definition }) => definition.id === execution.playbook_id);
    expect(execution.steps_total).toBe(known?.definition.steps.length);
    expect(execution.playbook_version).toBe(known?.release);
    const steps = execution.steps.map(({ step_id, name, action }) => ({ id: step_id, name, action }));
    const written = known?.definition.steps.map(({ id, name, action }) => ({ id, name, action }));
    expect(steps).toEqual(written?.slice(0, steps.length));
  }
});

it("contains only approvals of playbook versions that exist", async () => {
  const playbooks = await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, responseRegistry());
  const releases = new Map(playbooks.map(({ definition, release }) => [definition.id, release]));
  for (const { playbook_id, playbook_version } of buildShowcaseApprovals(new Date("2026-05-01T12:00:00Z"))) {
    expect(playbook_version).toBe(playbook_id === null ? null : releases.get(playbook_id));
  }
});
