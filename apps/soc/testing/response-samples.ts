import { randomUUID } from "node:crypto";
import { showcaseOf } from "../src/showcase/showcase.ts";
import type { Ask, World } from "./sample-world.ts";

const WAITS = { id: "pause", name: "Wait a while", action: "wait", params: { seconds: 3600 } };
const PLAYBOOK = { name: "Waits", steps: [WAITS] };
const CHANNEL = {
  kind: "webhook",
  settings: { url: "https://hooks.example/soc", secret: "a secret of the test that is long enough" },
};

/** What the response keeps, one of each, made through its routes. */
export async function makeResponseWorld(ask: Ask, made: number, case_id: string): Promise<World> {
  const say = async (method: string, path: string, payload: object) => {
    const { status, body } = await ask(method, path, payload);
    if (status !== 200 && status !== 201) throw new Error(`${method} ${path} answered ${status} ${body}`);
    return JSON.parse(body);
  };
  const endpoint = randomUUID();
  await say("PUT", `/edr/endpoints/${endpoint}`, { hostname: `host-${made}` });
  await say("PUT", `/soar/playbooks/waits-${made}`, PLAYBOOK);
  const isolates = { id: "cut", name: "Isolate it", action: "edr.isolate", params: { endpoint } };
  await say("PUT", `/soar/playbooks/isolates-${made}`, { name: "Isolates", steps: [isolates] });
  const execution = await say("POST", `/soar/playbooks/waits-${made}/execute`, {});
  const approval = await say("POST", `/soar/playbooks/isolates-${made}/execute`, {});
  const automation = await say("POST", "/soar/automations", automationOf(`made ${made}`, `waits-${made}`));
  const channel = await say("POST", "/notifications/channels", { ...CHANNEL, name: `channel ${made}` });
  const ioc = await say("POST", "/iocs", { value: `bad-${made}-${endpoint.slice(0, 8)}.example.org`, force: true });
  const report = await say("POST", "/reports", { report_type: "investigation", case_id });
  return {
    endpoints: endpoint,
    playbooks: `waits-${made}`,
    executions: execution.execution_id,
    approvals: approval.approval_id,
    automations: automation.id,
    channels: channel.id,
    iocs: ioc.id,
    reports: report.id,
  };
}

function automationOf(name: string, playbook_id: string | undefined) {
  return { name, condition: "severity:critical", playbook_id };
}

export function responseShownAt(now: Date): World {
  const { edr, executions, approvals, automations, notifications, iocs, reports } = showcaseOf(now);
  return {
    endpoints: edr.endpoints[0]?.id ?? "",
    playbooks: "phishing",
    executions: executions[0]?.execution_id ?? "",
    approvals: approvals[0]?.id ?? "",
    automations: automations[0]?.id ?? "",
    channels: notifications.channels[0]?.id ?? "",
    iocs: iocs[0]?.id ?? "",
    reports: reports[0]?.id ?? "",
  };
}

export const RESPONSE_BODIES: Readonly<Record<string, (world: World) => object>> = {
  "PUT /edr/endpoints/{id}": () => ({ isolation: "isolated" }),
  "POST /edr/endpoints/{id}/isolate": () => ({ reason: "seen" }),
  "POST /edr/endpoints/{id}/unisolate": () => ({}),
  "POST /edr/endpoints/{id}/scan": () => ({}),
  "PUT /soar/playbooks/{id}": () => ({ ...PLAYBOOK, name: "Waits longer" }),
  "POST /soar/playbooks/validate": () => PLAYBOOK,
  "POST /soar/playbooks/import": () => ({ yaml: JSON.stringify({ id: `of-${randomUUID()}`, ...PLAYBOOK }) }),
  "POST /soar/playbooks/{id}/execute": () => ({}),
  "POST /playbooks/{id}/execute": () => ({}),
  "POST /soar/automations": ({ playbooks }) => automationOf(`other ${randomUUID()}`, playbooks),
  "PATCH /soar/automations/{id}": () => ({ enabled: false }),
  "POST /approvals/{id}/decide": () => ({ approved: true, reason: "seen" }),
  "POST /notifications/channels": () => ({ ...CHANNEL, name: `other ${randomUUID()}` }),
  "PATCH /notifications/channels/{id}": () => ({ enabled: false }),
  "POST /reports": ({ cases }) => ({ report_type: "investigation", case_id: cases }),
  "POST /iocs": () => ({ value: `${randomUUID()}.example.org`, force: true }),
  "POST /iocs/bulk": () => ({ items: [{ value: `${randomUUID()}.example.org` }], force: true }),
  "POST /iocs/import": () => ({ type: "bundle", id: `bundle--${randomUUID()}`, objects: [indicatorOf(randomUUID())] }),
};

function indicatorOf(id: string) {
  const at = "2026-01-01T00:00:00.000Z";
  const times = { created: at, modified: at, valid_from: at };
  const pattern = { pattern_type: "stix", pattern: `[domain-name:value = '${id}.example.org']` };
  return { type: "indicator", spec_version: "2.1", id: `indicator--${id}`, ...times, ...pattern };
}

export const RESPONSE_QUERIES: Readonly<Record<string, (world: World) => string>> = {
  "POST /iocs/import": () => "?format=stix&force=true",
  "GET /iocs/export": () => "?format=stix",
};
