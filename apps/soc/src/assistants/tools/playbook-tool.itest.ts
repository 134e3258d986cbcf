import { afterAll, beforeAll, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { NO_RESPONSE_SETTINGS, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const PASSWORD = "correct horse battery";
const ENDPOINT = "0197f000-0000-7000-8000-0000000000e1";

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let asAdmin: SendRequest;
let asRequester: SendRequest;
let asManager: SendRequest;

/** Both accounts have the same creator, who takes no part: they count as two people. */
async function addUser(username: string, role: string): Promise<SendRequest> {
  const payload = { username, password: PASSWORD, role };
  await asAdmin("POST", "/users", payload);
  const signedIn = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  return askAs(platform.app, { authorization: `Bearer ${signedIn.json().access_token}` });
}

beforeAll(async () => {
  const { url } = await freshDatabase();
  const response = { ...NO_RESPONSE_SETTINGS, fourEyes: true };
  platform = await wholePlatform("real", url, undefined, absentLogStore(), { response });
  asAdmin = askAs(platform.app, await signIn(platform.app));
  asRequester = await addUser("rami", "admin");
  asManager = await addUser("mona", "manager");
});
afterAll(() => platform.close());

it("lets only another person decide about a playbook that a tool starts for the requester", async () => {
  const step = { id: "cut", name: "Isolate it", action: "edr.isolate", params: { endpoint: ENDPOINT } };
  await asAdmin("PUT", `/edr/endpoints/${ENDPOINT}`, { hostname: "ws-7" });
  await asAdmin("PUT", "/soar/playbooks/isolates", { name: "Isolates", steps: [step] });
  const alert = JSON.parse((await asManager("POST", "/alerts", { title: "Beacon", source: "sensor" })).body);
  const input = { playbook_id: "isolates", alert_id: alert.id };
  const call = async (given: object) => JSON.parse((await asRequester("POST", "/tools/execute_playbook", given)).body);

  const { approval_id } = await call(input);
  const decide = (ask: SendRequest) => ask("POST", `/approvals/${approval_id}/decide`, { approved: true });
  expect((await decide(asRequester)).status).toBe(403);
  expect(await call({ ...input, approval_id })).toMatchObject({ error_code: "approval_required" });
  expect((await decide(asManager)).status).toBe(200);
  expect(await call({ ...input, approval_id })).toMatchObject({ execution_id: expect.any(String), error_code: null });
});
