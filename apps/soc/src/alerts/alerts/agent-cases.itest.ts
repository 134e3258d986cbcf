import { afterAll, beforeAll, expect, it } from "vitest";
import { type SendRequest, startTwoSites, type TwoSites } from "../../../testing/harness/limited-callers.ts";

let world: TwoSites;
let analyst: SendRequest;

beforeAll(async () => {
  world = await startTwoSites();
  analyst = await world.addLimited("tier2", undefined);
}, 120_000);
afterAll(() => world.close());

/** Creates an alert and the case that an agent opened for it. */
async function alertWithCaseOfAgent(title: string) {
  const alert = (await analyst("POST", "/alerts", { title, source: "edr" })).json();
  const opened = (await analyst("POST", "/cases", { title, alert_ids: [alert.id] })).json();
  await world.query("UPDATE case_timeline SET agent = 'agent:SupervisorAgent' WHERE case_id = $1", [String(opened.id)]);
  return { alert: String(alert.id), opened: String(opened.id) };
}

it("adopts the case that an agent opened when a person promotes its alert, but only once", async () => {
  const { alert, opened } = await alertWithCaseOfAgent("Beacon");
  const body = { description: "Taken by hand", assignee: "layla" };
  const promoted = await analyst("POST", `/alerts/${alert}/promote`, body);
  expect([promoted.status, promoted.json()]).toMatchObject([201, { id: opened, status: "open", ...body }]);
  expect((await analyst("GET", `/alerts/${alert}`)).json()).toMatchObject({ status: "investigating", case_id: opened });
  expect((await analyst("POST", `/alerts/${alert}/promote`, body)).status).toBe(409);
});

it("links an alert to another case although an agent opened a case for it", async () => {
  const { alert } = await alertWithCaseOfAgent("Link");
  const other = String((await analyst("POST", "/cases", { title: "By hand" })).json().id);
  const linked = await analyst("POST", `/alerts/${alert}/case-link`, { case_id: other });
  expect([linked.status, linked.json()]).toMatchObject([200, { case_id: other }]);
});
