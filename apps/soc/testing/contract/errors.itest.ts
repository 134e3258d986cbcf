import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

let platform: ContractPlatform;
beforeAll(async () => {
  platform = await contractPlatform({ isProxied: true });
});
afterAll(() => platform.close());

function expectError({ status, body }: Answer, expected: number): void {
  expect([status, body]).toEqual([expected, { detail: expect.stringMatching(/./) }]);
}

describe(quote("Error body: an object with one field, detail (string)."), () => {
  describe(quote("| 400 | Bad request or validation error |"), () => {
    it.each([
      ["GET /alerts?limit=201", undefined],
      ["GET /agents?status=asleep", undefined],
      ["POST /alerts", {}],
      ["POST /alerts", []],
      ["POST /cases", { title: 1 }],
      ["POST /users", {}],
      ["POST /sites", {}],
      ["POST /siem/hunts", { title: "x", query: "(" }],
      ["POST /detections/rules", {}],
      ["POST /iocs", {}],
      ["PATCH /agents/agent-001/scale", { instances: 11 }],
      ["POST /agents/investigate", { alert_context: 1 }],
      [`POST /approvals/${NOTHING}/decide`, {}],
      [`GET /cases/${NOTHING}/files/%00`, undefined],
      ["GET /detections/suppressions?q=%00", undefined],
      ["GET /detections/exceptions?q=%00", undefined],
      ["GET /detections/rules?q=%00", undefined],
      ["GET /detections/rules/export?source=%00", undefined],
      ["GET /firmware?product=%00", undefined],
    ])("answers %s with %j with 400", async (route, body) => {
      expectError(await platform.ask(route, body), 400);
    });

    it("answers a body that is not JSON with 400", async () => {
      const headers = { ...(await platform.credentials("admin")), "content-type": "application/json" };
      const answer = await platform.app.inject({ method: "POST", url: "/api/v1/cases", headers, payload: "{" });
      expect([answer.statusCode, answer.json()]).toEqual([400, { detail: expect.any(String) }]);
    });
  });

  describe(quote("| 401 | Missing, expired or invalid JWT |"), () => {
    it.each([
      ["no token", {}],
      ["an invalid token", { authorization: "Bearer abc.def.ghi" }],
    ])("answers %s with 401", async (_what, headers) => {
      expectError(await platform.askWith(headers, "GET /alerts"), 401);
    });
  });

  describe(quote("| 403 | Insufficient permissions |"), () => {
    it.each(["POST /sites", "GET /users", "GET /approvals", `DELETE /cases/${NOTHING}`])(
      "answers %s with 403",
      async (route) => {
        expectError(await platform.ask(route, undefined, "tier1"), 403);
      },
    );
  });

  describe(quote("| 404 | Resource not found |"), () => {
    it.each([
      `GET /alerts/${NOTHING}`,
      `GET /cases/${NOTHING}`,
      `DELETE /cases/${NOTHING}`,
      "DELETE /users/nope",
      `DELETE /sites/${NOTHING}`,
      "GET /soar/playbooks/nope",
      `GET /edr/endpoints/${NOTHING}`,
      `GET /cps/devices/${NOTHING}`,
      `GET /reports/${NOTHING}`,
      "POST /agents/agent-099/enable",
      "GET /no/such/route",
    ])("answers %s with 404", async (route) => {
      expectError(await platform.ask(route), 404);
    });
  });

  describe(quote("| 409 | Duplicate or conflict; returned by SIEM promote under an active suppression |"), () => {
    it("answers the creation of an existing user with 409", async () => {
      const user = { username: "twice", password: "correct horse battery", role: "tier1" };
      await platform.send("POST /users", user);
      expectError(await platform.ask("POST /users", user), 409);
    });

    it("answers the second decision of an approval with 409", async () => {
      const step = { id: "cut", name: "Isolate", action: "edr.isolate", params: { endpoint: NOTHING } };
      await platform.send(`PUT /edr/endpoints/${NOTHING}`, { hostname: "ws-1" });
      await platform.send("PUT /soar/playbooks/isolates", { name: "Isolates", steps: [step] });
      const { approval_id } = await platform.send("POST /soar/playbooks/isolates/execute");
      await platform.send(`POST /approvals/${approval_id}/decide`, { approved: false });
      expectError(await platform.ask(`POST /approvals/${approval_id}/decide`, { approved: true }), 409);
    });
  });

  describe(quote("| 503 | Database unavailable; also used by toggling a rule outside dummy mode |"), () => {
    it("answers the toggle of a rule outside dummy mode with 503", async () => {
      expectError(await platform.ask(`POST /soar/rules/${NOTHING}/toggle`), 503);
    });

    it.each(["GET /alerts", "GET /cases", "POST /cases"])("answers %s without the database with 503", async (route) => {
      expect((await platform.ask("GET /users/me")).status).toBe(200);
      platform.proxy?.cut();
      await expect.poll(async () => (await platform.ask("GET /alerts")).status).toBe(503);
      expectError(await platform.ask(route, route.startsWith("P") ? { title: "x" } : undefined), 503);
      platform.proxy?.heal();
      await expect.poll(async () => (await platform.ask("GET /alerts")).status).toBe(200);
    });
  });

  it("returns the runtime truth of /system/mode during an outage", async () => {
    quote(
      "The dashboard reads /system/mode first and skips database-backed widgets when read_data_source is unavailable.",
    );
    platform.proxy?.cut();
    const source = async () => (await platform.ask("GET /system/mode")).body.read_data_source;
    await expect.poll(source).toBe("unavailable");
    platform.proxy?.heal();
    await expect.poll(source).toBe("database");
  });
});
