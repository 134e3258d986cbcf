import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ask, startTwoSites, type TwoSites } from "../../../testing/worlds/limited-callers.ts";

let world: TwoSites;
let analyst: Ask;

beforeAll(async () => {
  world = await startTwoSites();
  analyst = await world.addLimited("tier2", undefined);
}, 120_000);
afterAll(() => world.close());

/** An alert with the case that an agent has opened for it. */
async function alertWithCaseOfAgent(title: string) {
  const alert = (await analyst("POST", "/alerts", { title, source: "edr" })).json();
  const opened = (await analyst("POST", "/cases", { title, alert_ids: [alert.id] })).json();
  await world.query("UPDATE case_timeline SET agent = 'agent:SupervisorAgent' WHERE case_id = $1", [String(opened.id)]);
  return { alert: String(alert.id), opened: String(opened.id) };
}

it("adopts the case that an agent opened when a person promotes its alert, once", async () => {
  const { alert, opened } = await alertWithCaseOfAgent("Beacon");
  const body = { description: "Taken by hand", assignee: "layla" };
  const promoted = await analyst("POST", `/alerts/${alert}/promote`, body);
  expect([promoted.status, promoted.json()]).toMatchObject([201, { id: opened, status: "open", ...body }]);
  expect((await analyst("GET", `/alerts/${alert}`)).json()).toMatchObject({ status: "investigating", case_id: opened });
  expect((await analyst("POST", `/alerts/${alert}/promote`, body)).status).toBe(409);
});

it("links the alert to another case than the one that an agent opened", async () => {
  const { alert } = await alertWithCaseOfAgent("Link");
  const other = String((await analyst("POST", "/cases", { title: "By hand" })).json().id);
  const linked = await analyst("POST", `/alerts/${alert}/case-link`, { case_id: other });
  expect([linked.status, linked.json()]).toMatchObject([200, { case_id: other }]);
});
