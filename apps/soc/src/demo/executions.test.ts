import { expect, it } from "vitest";
import { PLAYBOOKS_FOLDER } from "../../testing/worlds/response-parts.ts";
import { responseRegistry } from "../../testing/worlds/response-registry.ts";
import { readBuiltInPlaybooks } from "../response/playbooks/built-in-playbooks.ts";
import { buildShowcaseExecutions } from "./executions.ts";
import { buildShowcase } from "./showcase.ts";

it("contains only executions whose alerts and playbooks exist", async () => {
  const now = new Date("2026-05-01T12:00:00Z");
  const { alerts } = buildShowcase(now);
  const playbooks = await readBuiltInPlaybooks(PLAYBOOKS_FOLDER, responseRegistry());
  for (const execution of buildShowcaseExecutions(now, alerts)) {
    const alert = alerts.find(({ id }) => id === execution.alert_id);
    expect(alert?.created_at.getTime()).toBeLessThanOrEqual(execution.created_at.getTime());
    const known = playbooks.find(({ definition }) => definition.id === execution.playbook_id)?.definition;
    expect(execution.steps_total).toBe(known?.steps.length);
    const steps = execution.steps.map(({ step_id, name, action }) => ({ id: step_id, name, action }));
    const written = known?.steps.map(({ id, name, action }) => ({ id, name, action }));
    expect(steps).toEqual(written?.slice(0, steps.length));
  }
});
