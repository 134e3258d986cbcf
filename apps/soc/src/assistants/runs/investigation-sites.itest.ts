import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ContractPlatform, contractPlatform } from "../../../testing/contract/contract-platform.ts";
import { ADMIN_PASSWORD, wholeWorker } from "../../../testing/harness/whole-platform.ts";

const CANARY = "canaryofbeta";
const clock = createClock();

let platform: ContractPlatform;
let worker: Awaited<ReturnType<typeof wholeWorker>>;
let analystOfAlpha: Record<string, string>;
let logsOfBeta: string[];

beforeAll(async () => {
  platform = await contractPlatform({ hasLogs: true });
  worker = await wholeWorker(platform.databaseUrl ?? "", platform.dataFolder, {}, platform.logStore);
  for (const name of ["Alpha", "Beta"]) {
    await platform.send("POST /sites", { name, profile: { asset_classes: ["it"] } });
  }
  await platform.send("POST /users", { username: "a3", password: ADMIN_PASSWORD, role: "tier3", sites: ["Alpha"] });
  const { access_token } = await platform.send("POST /auth/token", { username: "a3", password: ADMIN_PASSWORD });
  analystOfAlpha = { authorization: `Bearer ${access_token}` };
  const { key } = await platform.send("POST /api-keys", { name: "beta", scopes: ["siem:ingest"], sites: ["Beta"] });
  const process = { name: "mimikatz.exe", executable: `C:\\${CANARY}\\mimikatz.exe` };
  const log = { message: `${CANARY} sekurlsa::logonpasswords`, host: "bank-b", user: "bvip", process };
  await platform.askWith({ "x-api-key": key }, "POST /siem/ingest?source=test", [log, log]);
  const deadline = clock.deadline(30_000);
  const find = () => platform.send("GET /siem/logs?query=user:bvip");
  while ((await find()).total < 2 && !deadline.aborted) await clock.sleep(100);
  logsOfBeta = (await find()).items.map(({ id }: { id: string }) => id);
}, 120_000);

afterAll(async () => {
  await worker.close();
  await platform.close();
});

async function investigate(
  alert: object,
  headers: Record<string, string>,
): Promise<{ alert_id: string; read: string }> {
  const report = { source: "edr", severity: "critical", host: "bank-b", user: "bvip", log_ids: logsOfBeta, ...alert };
  const { status, body } = await platform.askWith(headers, "POST /alerts", report);
  expect(status).toBe(201);
  const { items } = await vi.waitFor(
    async () => {
      const listed = await platform.send("GET /agents/investigations");
      const own = listed.items.filter(({ alert_id }: { alert_id: string }) => alert_id === body.id);
      expect(own).toMatchObject([{ status: "completed" }]);
      return { items: own };
    },
    { timeout: 60_000, interval: 200 },
  );
  const read = await platform.send(`GET /agents/investigations/${items[0].id}/transcript`);
  return { alert_id: body.id, read: JSON.stringify(read) };
}

it("reads only the logs of the alert's site in an investigation", async () => {
  expect(logsOfBeta).toHaveLength(2);
  const { alert_id, read } = await investigate({ title: "credential dump" }, analystOfAlpha);
  expect(read).toContain(alert_id);
  expect(read).not.toContain(CANARY);
  const { body } = await platform.askWith(analystOfAlpha, "GET /cases");
  expect(JSON.stringify(body)).not.toContain(CANARY);
});

it("reads the logs of all sites for an alert without a site", async () => {
  const { read } = await investigate({ title: "dump anywhere" }, await platform.credentials("admin"));
  expect(read).toContain(CANARY);
});

it("writes the verdict into the case of its alert", async () => {
  const alert = { title: "dump at Beta", source: "edr", severity: "critical", site: "Beta", log_ids: logsOfBeta };
  const { id: alert_id } = await platform.send("POST /alerts", alert);
  const { id: case_id } = await platform.send(`POST /alerts/${alert_id}/promote`);
  await platform.send("POST /agents/investigate", { alert_context: { alert_id } });
  await vi.waitFor(
    async () => {
      const { items } = await platform.send(`GET /cases/${case_id}/comments`);
      expect(items.map(({ body }: { body: string }) => body).join()).toContain(
        `The investigation of alert ${alert_id} ended`,
      );
    },
    { timeout: 30_000, interval: 200 },
  );
});
