import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_RESPONSE_SETTINGS, wholeWorker } from "../harness/whole-platform.ts";
import { startAdapter } from "../servers/edr-adapter.ts";
import { type ContractPlatform, contractPlatform, installPlaybooks, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

const ENDPOINT = "0197f000-0000-7000-8000-0000000000e1";
const PATHS = ["/soar/playbooks", "/playbooks"] as const;
const NO_DECISION = "approval_id is not decided";

let platform: ContractPlatform;
let adapter: Awaited<ReturnType<typeof startAdapter>>;
let settings: { response: typeof NO_RESPONSE_SETTINGS };

beforeAll(async () => {
  adapter = await startAdapter();
  settings = { response: { ...NO_RESPONSE_SETTINGS, edrUrl: adapter.url, edrKeyFile: adapter.keyFile } };
  platform = await contractPlatform({ changed: settings });
  await installPlaybooks(platform);
  await platform.send(`PUT /edr/endpoints/${ENDPOINT}`, { hostname: "ws-7" });
  const wait = { id: "wait", name: "Wait", action: "wait", params: { seconds: 3600 } };
  const isolate = { id: "cut", name: "Isolate", action: "edr.isolate", params: { endpoint: ENDPOINT } };
  await platform.send("PUT /soar/playbooks/waits", { name: "Waits", steps: [wait] });
  await platform.send("PUT /soar/playbooks/isolates", { name: "Isolates", steps: [wait, isolate] });
});
afterAll(async () => {
  await platform.close();
  await adapter.close();
});

const countExecutions = async () => (await platform.send("GET /soar/executions")).total;
const listPending = async () =>
  (await platform.send("GET /approvals?limit=200")).items.map(({ id }: { id: string }) => id);
const decide = (id: string, approved: boolean, reason = "seen") =>
  platform.send(`POST /approvals/${id}/decide`, { approved, reason });

describe("EDR", () => {
  it.each(["isolate", "unisolate", "scan"])("%s accepts a request without a body", async (action) => {
    expect((await platform.ask(`POST /edr/endpoints/${ENDPOINT}/${action}`)).status).toBeLessThan(300);
  });

  it.each(["isolate", "unisolate", "scan"])("%s answers 404 for an unknown endpoint", async (action) => {
    expect((await platform.ask(`POST /edr/endpoints/${NOTHING}/${action}`)).status).toBe(404);
  });

  it(quote("In real mode, EDR isolate, unisolate and scan may route to a configured HTTP adapter."), {
    timeout: 60_000,
  }, async () => {
    const worker = await wholeWorker(platform.databaseUrl ?? "", platform.dataFolder, settings);
    for (const action of ["isolate", "unisolate", "scan"]) {
      await platform.send(`POST /edr/endpoints/${ENDPOINT}/${action}`);
      const isPerformed = () => adapter.performedActions().some((line) => line.startsWith(`${action} `));
      await expect.poll(isPerformed, { timeout: 15_000 }).toBe(true);
    }
    await worker.close();
  });

  it("GET returns the endpoint and the statistics", async () => {
    expect(await platform.send(`GET /edr/endpoints/${ENDPOINT}`)).toMatchObject({ id: ENDPOINT });
    expect((await platform.send("GET /edr/endpoints")).items).toHaveLength(1);
    expect(await platform.send("GET /edr/stats")).toEqual(expect.any(Object));
  });
});

describe("playbooks", () => {
  it("returns the same playbooks at /soar/playbooks and at /playbooks", async () => {
    const [soar, own] = [await platform.send("GET /soar/playbooks"), await platform.send("GET /playbooks")];
    expect(own.items).toEqual(soar.items);
    const { status } = await platform.ask("POST /playbooks/waits/execute");
    expect(status).toBeLessThan(300);
    const executions = (await platform.send("GET /soar/executions")).items;
    expect((await platform.send("GET /playbooks/executions")).items).toEqual(executions);
  });

  it("toggles a playbook", async () => {
    const before = await platform.send("GET /soar/playbooks/waits");
    await platform.send("POST /soar/playbooks/waits/toggle");
    expect(await platform.send("GET /soar/playbooks/waits")).not.toEqual(before);
    await platform.send("POST /soar/playbooks/waits/toggle");
  });

  it.each([
    "GET /soar/playbooks/nope",
    "POST /soar/playbooks/nope/toggle",
    "POST /soar/playbooks/nope/execute",
    "POST /playbooks/nope/execute",
  ])("%s answers 404", async (route) => {
    expect((await platform.ask(route)).status).toBe(404);
  });
});

describe("a critical playbook", () => {
  quote("optional query approval_id; critical playbooks return pending_approval |");
  quote("Playbook execution status seen: pending_approval, completed (run records).");
  const SHIPPED = ["data-theft", "firmware-mismatch", "leaked-credential", "lost-device", "ransomware-host"];
  const REQUESTS = PATHS.flatMap((path) => SHIPPED.map((id) => [path, id] as const));

  it.each(REQUESTS)("POST %s/%s/execute without parameters returns pending_approval", async (path, id) => {
    const before = await countExecutions();
    const answer = await platform.ask(`POST ${path}/${id}/execute`);
    expect(answer.status).toBeLessThan(300);
    expect(answer.body).toMatchObject({ status: "pending_approval", approval_id: expect.any(String) });
    expect(await listPending()).toContain(answer.body.approval_id);
    expect(await countExecutions()).toBe(before);
  });

  it.each(SHIPPED)("%s is named as critical by its name and its steps", async (id) => {
    const playbook = await platform.send(`GET /soar/playbooks/${id}`);
    const answer = await platform.send(`POST /soar/playbooks/${id}/execute`);
    expect(answer).toMatchObject({ playbook_name: playbook.name, steps_total: playbook.steps.length });
  });

  it.each([
    ["playbook_id", "isolates"],
    ["playbook_name", "Isolates"],
    ["status", "pending_approval"],
    ["approval_id", expect.any(String)],
    ["requires_approval", true],
    ["steps_total", 2],
    ["message", expect.stringMatching(/./)],
  ])("returns %s", async (field, value) => {
    quote(
      "- Critical playbook response: playbook_id, playbook_name, status, approval_id, requires_approval (boolean), steps_total (integer), message.",
    );
    for (const path of PATHS)
      expect(await platform.send(`POST ${path}/isolates/execute`)).toMatchObject({ [field]: value });
  });

  it(
    quote(
      "| playbook execution requested | POST .../execute | playbook is critical | pending_approval | an approval record is created; approval_id returned; nothing executes |",
    ),
    async () => {
      const before = await countExecutions();
      const { approval_id, status } = await platform.send("POST /soar/playbooks/isolates/execute", {}, "tier3");
      expect(status).toBe("pending_approval");
      expect(await listPending()).toContain(approval_id);
      expect(await countExecutions()).toBe(before);
    },
  );

  it("starts a playbook that is not critical without an approval", async () => {
    const answer = await platform.send("POST /soar/playbooks/waits/execute");
    expect(answer.status).not.toBe("pending_approval");
    expect(await platform.send("GET /soar/executions")).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ playbook_id: "waits" })]),
    });
  });
});

describe("the approval handshake", () => {
  quote("1. POST /soar/playbooks/{playbook_id}/execute returns status pending_approval and an approval_id.");
  quote("2. POST /approvals/{approval_id}/decide records the decision.");
  quote("3. If approved, the client repeats the execute call with query parameter approval_id.");

  const request = async (path: string = PATHS[0]): Promise<string> =>
    (await platform.send(`POST ${path}/isolates/execute`, {}, "responder")).approval_id;

  describe.each(PATHS)("at %s", (path) => {
    it("begins with pending_approval, records the decision, and executes the repeated call", async () => {
      const approval_id = await request();
      const before = await countExecutions();
      expect(await decide(approval_id, true)).toMatchObject({ id: approval_id, status: "approved", reason: "seen" });
      expect(await countExecutions()).toBe(before);
      const repeated = await platform.send(`POST ${path}/isolates/execute?approval_id=${approval_id}`, {}, "responder");
      expect(repeated.status).not.toBe("pending_approval");
      expect(await countExecutions()).toBe(before + 1);
    });

    it("executes the call that another caller with the same permission repeats", async () => {
      const approval_id = await request();
      await decide(approval_id, true);
      const repeated = await platform.send(`POST ${path}/isolates/execute?approval_id=${approval_id}`, {}, "tier3");
      expect(repeated.status).not.toBe("pending_approval");
    });

    it("executes nothing before the decision", async () => {
      const approval_id = await request();
      const before = await countExecutions();
      const repeated = await platform.ask(`POST ${path}/isolates/execute?approval_id=${approval_id}`, {}, "responder");
      expect([repeated.body.status ?? NO_DECISION, await countExecutions()]).toEqual(["pending_approval", before]);
      await decide(approval_id, false);
    });
  });

  it(
    quote(
      "| pending_approval | POST /approvals/{id}/decide | approved true | decision recorded | caller may replay execute with query parameter approval_id |",
    ),
    async () => {
      const approval_id = await request();
      await decide(approval_id, true);
      expect(await listPending()).not.toContain(approval_id);
      const replayed = await platform.ask(
        `POST ${PATHS[0]}/isolates/execute?approval_id=${approval_id}`,
        undefined,
        "responder",
      );
      expect(replayed.status).toBeLessThan(300);
    },
  );

  it(
    quote(
      "| pending_approval | POST /approvals/{id}/decide | approved false | decision recorded | the playbook stays blocked |",
    ),
    async () => {
      const approval_id = await request();
      expect(await decide(approval_id, false)).toMatchObject({ status: "rejected" });
      const before = await countExecutions();
      const replayed = await platform.ask(
        `POST ${PATHS[0]}/isolates/execute?approval_id=${approval_id}`,
        {},
        "responder",
      );
      expect(replayed.status).toBe(409);
      expect(await countExecutions()).toBe(before);
    },
  );

  it("refuses an unknown approval", async () => {
    const replayed = await platform.ask(`POST ${PATHS[0]}/isolates/execute?approval_id=${NOTHING}`, {});
    expect([404, 409]).toContain(replayed.status);
  });
});

describe(quote("- Approval decision body: approved (boolean), reason (string)."), () => {
  const request = async () => (await platform.send("POST /soar/playbooks/isolates/execute", {}, "tier3")).approval_id;

  it.each([true, false])("accepts approved %s, with and without a reason", async (approved) => {
    const decided = approved ? "approved" : "rejected";
    for (const body of [{ approved }, { approved, reason: "checked" }, { approved, reason: null }]) {
      const answer = await platform.send(`POST /approvals/${await request()}/decide`, body);
      expect(answer).toMatchObject({ status: decided, reason: body.reason ?? null });
    }
  });

  it.each([
    [{}],
    [{ approved: "yes" }],
    [{ approved: 1 }],
    [{ approved: true, reason: 1 }],
    [{ approved: true, reason: {} }],
  ])("refuses %j", async (body) => {
    expect((await platform.ask(`POST /approvals/${await request()}/decide`, body)).status).toBe(400);
  });

  it("answers 404 for an unknown approval", async () => {
    expect((await platform.ask(`POST /approvals/${NOTHING}/decide`, { approved: true })).status).toBe(404);
  });

  it("accepts one decision", async () => {
    const id = await request();
    await decide(id, true);
    expect((await platform.ask(`POST /approvals/${id}/decide`, { approved: false })).status).toBe(409);
  });

  it("GET /approvals lists the pending approvals", async () => {
    const id = await request();
    expect(await listPending()).toContain(id);
    await decide(id, false);
    expect(await listPending()).not.toContain(id);
  });
});

describe("devices, reports, IOCs and statistics", () => {
  it.each([
    "/cps/devices",
    "/cps/attestations",
    "/reports",
    "/iocs",
    "/correlations",
    "/firmware",
    "/approvals",
    "/soar/playbooks",
    "/soar/executions",
    "/soar/rules",
    "/playbooks",
    "/playbooks/executions",
    "/edr/endpoints",
    "/users",
    "/cases",
    "/sites",
    "/agents",
    "/siem/hunts",
    "/detections/rules",
  ])("GET %s returns a list", async (path) => {
    expect(Array.isArray((await platform.send(`GET ${path}`)).items)).toBe(true);
  });

  it.each(["/stats/overview", "/dashboard/stats", "/edr/stats", "/detections/metrics"])(
    "GET %s returns an object",
    async (path) => {
      expect(await platform.send(`GET ${path}`)).toEqual(expect.any(Object));
    },
  );

  it.each(["/cps/devices", "/reports", "/edr/endpoints", "/cases", "/alerts"])(
    "GET %s/{id} answers 404 for an unknown record",
    async (path) => {
      const answer = await platform.ask(`GET ${path}/${NOTHING}`);
      expect(answer).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    },
  );

  it("POST /iocs stores an IOC", async () => {
    const { id } = await platform.send("POST /iocs", { value: "evil-contract.net" });
    const { items } = await platform.send("GET /iocs");
    expect(items).toContainEqual(expect.objectContaining({ id }));
  });

  it("returns a generated report under its id", async () => {
    const { report_id } = await platform.send("POST /tools/generate_report", { report_type: "executive" });
    expect(await platform.send(`GET /reports/${report_id}`)).toMatchObject({ id: report_id });
  });
});
