import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { startCallersPlatform } from "./callers-platform.ts";
import { ADMIN_PASSWORD as password } from "./whole-platform.ts";

type Headers = Record<string, string>;

/** The records of one site. Each text of them contains the canary. */
export interface SiteRecords {
  canary: string;
  alert: string;
  other: string;
  case: string;
  observable: string;
  comment: string;
  task: string;
  evidence: string;
  file: string;
}

/** Not a word of the platform, and not a part of another canary. */
export const CANARIES = { Alpha: "qalphaz", Beta: "qbetaz", none: "qnowherez", both: "qmixedz" } as const;

const MAX_RETRIES = 20;

/** The values that both sites share, by which records are related. */
const SHARED = { host: "shared-host", user: "shared-user", iocs: ["shared.example"] };

/**
 * The whole service with records of two sites, of none and of both, and with a user and a key of the site Alpha, each
 * with all permissions that such a caller can have.
 */
export async function startTwoSites() {
  const platform = await startCallersPlatform();
  const { asAdmin } = platform;
  const profile = { asset_classes: ["it"] };
  for (const name of ["Alpha", "Beta"]) await asAdmin("POST", "/sites", { name, profile });
  await asAdmin("POST", "/users", { username: "alpha", password, role: "admin", sites: ["Alpha"] });
  const scopes = ["alerts:read", "alerts:write", "cases:read", "cases:write"];
  const { key } = await asAdmin("POST", "/api-keys", { name: "alpha-key", scopes, sites: ["Alpha"] });
  const { token } = await platform.signIn("alpha");
  const user: Headers = { authorization: `Bearer ${token}` };
  const apiKey: Headers = { "x-api-key": key };

  async function ask(headers: Headers, method: string, path: string, body: object = {}) {
    let answer = await platform.ask(method, `/api/v1${path}`, headers, body);
    // On a busy machine, a request that is refused with 503 has changed nothing.
    for (let retries = 0; answer.status === 503 && retries < MAX_RETRIES; retries += 1) {
      answer = await platform.ask(method, `/api/v1${path}`, headers, body);
    }
    return { status: answer.status, text: answer.body };
  }

  async function fill(canary: string, site?: string): Promise<SiteRecords> {
    const named = { source: `${canary}-source`, description: `${canary} description`, tags: [`${canary}-tag`] };
    const finding = { ...SHARED, ...named, title: `${canary} finding`, ...(site !== undefined && { site }) };
    const alert = await asAdmin("POST", "/alerts", finding);
    const other = await asAdmin("POST", "/alerts", { ...finding, title: `${canary} again`, host: `${canary}-host` });
    const opened = await asAdmin("POST", `/alerts/${alert.id}/promote`);
    const at = `/cases/${opened.id}`;
    const observable = await asAdmin("POST", `${at}/observables`, { type: "domain", value: `${canary}.example` });
    await asAdmin("PATCH", `${at}/observables/${observable.id}`, { source: `${canary} source` });
    const comment = await asAdmin("POST", `${at}/comments`, { body: `${canary} comment for @alpha` });
    const task = await asAdmin("POST", `${at}/tasks`, { title: `${canary} task`, assignee: "alpha" });
    const evidence = await asAdmin("POST", `${at}/evidence`, { name: `${canary} disk`, evidence_type: "disk" });
    await asAdmin("POST", `${at}/evidence/${evidence.id}/custody`, { action: `${canary} sealed` });
    const file = await asAdmin("POST", `${at}/files?name=${canary}.bin`, { content: canary });
    await asAdmin("PATCH", `/alerts/${other.id}`, { assignee: "alpha" });
    return {
      canary,
      ...{ alert: alert.id, other: other.id, case: opened.id, observable: observable.id },
      ...{ comment: comment.id, task: task.id, evidence: evidence.id, file: file.id },
    };
  }

  const alpha = await fill(CANARIES.Alpha, "Alpha");
  const beta = await fill(CANARIES.Beta, "Beta");
  const nowhere = await fill(CANARIES.none);
  const joined = { title: `joined ${CANARIES.Alpha}`, source: "x", site: "Alpha" };
  const inBoth = await asAdmin("POST", "/alerts", joined);
  const alert_ids = [
    inBoth.id,
    (await asAdmin("POST", "/alerts", { ...joined, iocs: ["beta.example"], site: "Beta" })).id,
  ];
  const both = await asAdmin("POST", "/cases", { title: CANARIES.both, alert_ids });

  return {
    ...platform,
    ask,
    user,
    apiKey,
    ...{ alpha, beta, nowhere, both: { case: String(both.id), alert: String(inBoth.id) } },
    foreign: [...Object.values(beta), ...Object.values(nowhere), alert_ids[1] ?? ""].map(String),

    /** Finds the texts and ids in a response that do not belong to Alpha, except those that the caller has sent. */
    findForeign(text: string, sent = ""): string[] {
      const foreign = [...this.foreign, CANARIES.both].filter((word) => !sent.includes(word));
      return foreign.filter((word) => text.includes(word));
    },

    /** Reads the event stream of a caller until the text is in it. */
    async listen(headers: Headers, until: string, act: () => Promise<unknown>): Promise<string> {
      const { port } = platform.app.server.address() as AddressInfo;
      const asked = request({ port, host: "127.0.0.1", path: "/api/v1/events", headers }).end();
      const [stream] = (await once(asked, "response")) as [IncomingMessage];
      let read = "";
      stream.setEncoding("utf8").on("data", (text: string) => {
        read += text;
      });
      await act();
      while (!read.includes(until)) await once(stream, "data");
      stream.destroy();
      return read;
    },
  };
}
export type TwoSites = Awaited<ReturnType<typeof startTwoSites>>;

/** The casework paths that a caller of Alpha reads. */
export function listReads({ alpha, beta, nowhere }: TwoSites): string[] {
  const fields = "severity,status,source,assignee,case_id,host,user,rule_id,site,tag,technique";
  const alerts = ["", "?q=finding", "?host=shared-host", "?user=shared-user", "?ioc=shared.example", "?sort=-severity"];
  const wanted = [`?q=${beta.canary}`, `?case_id=${beta.case}`, `?ids=${beta.alert},${nowhere.alert}`];
  const queries = [`?query=title:*finding*`, `?query=host:shared-host`, "?has_case=true", "?limit=1&skip=1"];
  const items = ["", "/timeline", "/observables", "/comments", "/tasks", "/evidence", "/history", "/files", "/full"];
  return [
    ...[...alerts, ...wanted, ...queries].map((query) => `/alerts${query}`),
    ...["", "&q=finding", "&query=title:*finding*"].map((more) => `/alerts/summary?fields=${fields}${more}`),
    ...["rule_id", "host", "user", "case_id", "technique"].map((by) => `/alerts/groups?by=${by}`),
    ...["", "/context", "/full"].map((part) => `/alerts/${alpha.alert}${part}`),
    ...["", "?q=finding", `?q=${beta.canary}`, "?sort=updated_at", "?status=open"].map((query) => `/cases${query}`),
    ...items.map((part) => `/cases/${alpha.case}${part}`),
    ...["host", "user", "address", "domain", "hash"].map((type) => `/entities?type=${type}`),
    "/entities/graph?seed=host:shared-host&depth=2",
    `/entities/graph?seed=host:${beta.canary}-host`,
    "/entities/host/shared-host",
    "/entities/domain/shared.example",
    `/entities/host/${beta.canary}-host`,
  ];
}

/** The paths that accept no key. */
export function listReadsOfUsers({ alpha, beta, nowhere }: TwoSites): string[] {
  return [
    "/search?q=finding",
    `/search?q=${beta.canary}`,
    `/search?q=${beta.alert}`,
    `/search?q=${nowhere.case}`,
    ...[alpha, beta, nowhere].flatMap((each) => [
      `/activity?subject_type=alert&subject_id=${each.alert}`,
      `/activity?subject_type=case&subject_id=${each.case}`,
    ]),
    "/inbox",
    "/inbox?kind=mentioned",
    "/inbox/count",
  ];
}

/** Reads and changes of one site's records, each with a body. */
export function listUses(records: SiteRecords, into: { alert: string; case: string }): [string, string, object][] {
  const [alert, at] = [`/alerts/${records.alert}`, `/cases/${records.case}`];
  return [
    ["GET", alert, {}],
    ["GET", `${alert}/context`, {}],
    ["GET", `${alert}/full`, {}],
    ["PATCH", alert, { status: "triaged" }],
    ["POST", `${alert}/promote`, {}],
    ["POST", `${alert}/case-link`, { case_id: into.case }],
    ["POST", `/alerts/${into.alert}/case-link`, { case_id: records.case }],
    ["POST", "/alerts/bulk", { ids: [records.alert], status: "triaged" }],
    ...["", "/timeline", "/observables", "/comments", "/tasks", "/evidence", "/history", "/files", "/full"].map(
      (part): [string, string, object] => ["GET", `${at}${part}`, {}],
    ),
    ["GET", `${at}/files/${records.file}`, {}],
    ["PATCH", at, { title: "taken" }],
    ["POST", `${at}/alerts`, { alert_ids: [into.alert] }],
    ["POST", `/cases/${into.case}/alerts`, { alert_ids: [records.other] }],
    ["POST", `${at}/observables`, { type: "ip", value: "10.0.0.1" }],
    ["POST", `${at}/observables/bulk`, { observables: [{ type: "ip", value: "10.0.0.1" }] }],
    ["PATCH", `${at}/observables/${records.observable}`, { source: "x" }],
    ["POST", `${at}/comments`, { body: "x" }],
    ["PATCH", `${at}/comments/${records.comment}`, { body: "x" }],
    ["POST", `${at}/tasks`, { title: "x" }],
    ["PATCH", `${at}/tasks/${records.task}`, { status: "done" }],
    ["POST", `${at}/evidence`, { name: "x", evidence_type: "disk" }],
    ["POST", `${at}/evidence/${records.evidence}/custody`, { action: "taken" }],
    ["POST", `${at}/files?name=x`, { content: "x" }],
    ["POST", `${at}/merge`, { from: [into.case] }],
    ["POST", `/cases/${into.case}/merge`, { from: [records.case] }],
    ["POST", "/cases", { title: "x", alert_ids: [records.alert] }],
  ];
}
