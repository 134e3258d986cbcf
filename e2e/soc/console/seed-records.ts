import { createClock } from "@kit/clock";
import type { SocClient } from "../client.ts";
import { enrolDevice } from "./enrol-device.ts";
import { done } from "./retrying-client.ts";

const clock = createClock();
const INVESTIGATED_MS = 90_000;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface RecordTexts {
  /** One record of each kind is made with each text. */
  names: readonly string[];
  caseId: string;
  playbookId: string;
}

/** Exceptions, automations, channels, API keys, reports and events that could not be stored. */
export async function seedRecords(client: SocClient, { names, caseId, playbookId }: RecordTexts) {
  const expires_at = new Date(clock.now().getTime() + 7 * DAY_MS).toISOString();
  const bury = (text: string) => client.ask("POST", "/api/v1/siem/ingest?source=edge-fw", [text]);
  for (const [at, text] of names.entries()) {
    const name = text.slice(0, 100);
    await done(
      client.post("/detections/exceptions", { scope: "all", query: `user:service-${at}`, reason: text, expires_at }),
    );
    await done(
      client.post("/soar/automations", {
        name,
        condition: `severity:critical AND host:kiosk-${at}`,
        playbook_id: playbookId,
        enabled: false,
      }),
    );
    await done(
      client.post("/notifications/channels", {
        name,
        kind: "chat",
        settings: { url: `https://chat${at}.invalid/hook` },
      }),
    );
    await done(client.post("/api-keys", { name: `shipper-${at}`, scopes: ["siem:read"] }));
    await done(bury(text));
  }
  const reports = [
    { report_type: "investigation", case_id: caseId, format: "markdown" },
    { report_type: "executive", format: "html" },
    { report_type: "compliance", format: "json" },
  ];
  const reportIds: string[] = [];
  for (const report of reports) reportIds.push((await done(client.post("/reports", report))).id);
  return { reportIds };
}

/** Devices that have their certificate, and have reported nothing yet. */
export async function enrolDevices(client: SocClient, port: number, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const { code } = await done(client.post("/cps/enrolment-codes", { name, type: "player" }));
    ids.push((await enrolDevice(port, code)).device_id);
  }
  return ids;
}

/** An investigation by the agents, without a model. The agents must be enabled. */
export async function investigate(client: SocClient, title: string): Promise<string> {
  const context = { title, host: "fin-ws-014", user: "layla.amari", source: "edr" };
  const { investigation_id } = await done(
    client.post("/agents/investigate", { alert_context: context, severity: "high" }),
  );
  const deadline = clock.deadline(INVESTIGATED_MS);
  for (;;) {
    const { status } = await done(client.get(`/agents/investigations/${investigation_id}`));
    if (status !== "queued" && status !== "running") return investigation_id;
    await clock.sleep(200, deadline);
  }
}
