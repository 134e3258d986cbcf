import { afterAll, beforeAll, expect, it } from "vitest";
import { askAs, signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import type { SendRequest } from "../../../testing/harness/world.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

const PASSWORD = "correct horse battery";
let platform: Awaited<ReturnType<typeof wholePlatform>>;
let admin: SendRequest;

beforeAll(async () => {
  platform = await wholePlatform("real", (await freshDatabase()).url);
  admin = askAs(platform.app, await signIn(platform.app));
});

afterAll(() => platform.close());

async function read(asked: ReturnType<SendRequest>, status: number) {
  const answer = await asked;
  expect([answer.status, answer.body]).toEqual([status, expect.any(String)]);
  return JSON.parse(answer.body);
}

async function addUser(username: string): Promise<SendRequest> {
  await read(admin("POST", "/users", { username, password: PASSWORD, role: "responder" }), 201);
  const payload = { username, password: PASSWORD };
  const answer = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  return askAs(platform.app, { authorization: `Bearer ${answer.json().access_token}` });
}

it("does not give the hunts, rules and approvals of a deleted user to a new user with the same name", async () => {
  const steps = [{ id: "cut", name: "Cut", action: "edr.isolate", params: { endpoint: "WS-1" } }];
  await read(admin("PUT", "/soar/playbooks/cut-off", { name: "Cut off", description: "x", steps }), 201);
  await read(admin("PUT", "/edr/endpoints/0197f000-0000-7000-8000-000000000001", { hostname: "WS-1" }), 201);
  const before = await addUser("sami");
  const hunt = await read(before("POST", "/siem/hunts", { title: "mine", sharing_mode: "private" }), 201);
  const pending = await read(before("POST", "/soar/playbooks/cut-off/execute", {}), 200);
  await read(before("GET", `/approvals/${pending.approval_id}`), 200);

  for (const turn of [1, 2]) {
    await read(admin("DELETE", "/users/sami"), 200);
    const after = await addUser("sami");
    expect((await read(after("GET", "/siem/hunts"), 200)).items, `round ${turn}`).toEqual([]);
    await read(after("GET", `/approvals/${pending.approval_id}`), 404);
    // The same request creates a new approval, even if the old one has not timed out yet.
    const own = await read(after("POST", "/soar/playbooks/cut-off/execute", {}), 200);
    expect(own.approval_id).not.toBe(pending.approval_id);
  }

  const { items } = await read(admin("GET", "/siem/hunts"), 200);
  expect(items).toEqual([{ ...hunt, created_by: expect.stringMatching(/^sami \(deleted \d+\)$/) }]);
  const ended = await read(admin("GET", `/approvals/${pending.approval_id}`), 200);
  expect(ended.requested_by).toMatch(/^sami \(deleted \d+\)$/);
  expect(ended.status).toBe("timeout");
});
