import { createClock } from "@kit/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ContractPlatform, contractPlatform, installPlaybooks, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

const ENDPOINT = "0197f000-0000-7000-8000-0000000000e1";
const REQUEST = { action: "Isolate WS-7", justification: "It calls a known command server" };
const POLL_MS = 30_000;
const HOUR_MS = 3_600_000;

let platform: ContractPlatform;
let alert_id: string;
let case_id: string;
/** The polls of the approval tool so far; only its clock advances here. */
let polls: number[];
let onPoll: (count: number) => Promise<unknown>;

/**
 * The approval tool sleeps without waiting; other parts of the platform, which may sleep as long, have the real clock.
 */
function createPollingClock() {
  const real = createClock();
  return {
    ...real,
    async sleep(ms: number, signal?: AbortSignal) {
      const isOfTool = ms === POLL_MS && new Error("asked here").stack?.includes("approval-tool.ts");
      if (!isPolling || !isOfTool) return real.sleep(ms, signal);
      polls.push(ms);
      await onPoll(polls.length);
    },
  };
}
let isPolling = false;

beforeAll(async () => {
  platform = await contractPlatform({ changed: { clock: createPollingClock() } });
  await installPlaybooks(platform);
  await platform.send(`PUT /edr/endpoints/${ENDPOINT}`, { hostname: "ws-7" });
  const wait = { id: "wait", name: "Wait", action: "wait", params: { seconds: 3600 } };
  const isolate = { id: "cut", name: "Isolate", action: "edr.isolate", params: { endpoint: ENDPOINT } };
  const inputs = [{ name: "host", required: false, description: "A host" }];
  await platform.send("PUT /soar/playbooks/waits", { name: "Waits", inputs, steps: [wait, { ...wait, id: "again" }] });
  await platform.send("PUT /soar/playbooks/isolates", { name: "Isolates", steps: [isolate] });
  alert_id = (await platform.send("POST /alerts", { title: "Beacon", source: "sensor", host: "ws-7" })).id;
  case_id = (await platform.send("POST /cases", { title: "Beacon" })).id;
});
afterAll(() => platform.close());
beforeEach(() => {
  polls = [];
  onPoll = async () => undefined;
});

const call = async (tool: string, input: object) => {
  const { status, body } = await platform.ask(`POST /tools/${tool}`, input);
  expect(status).toBe(200);
  return body;
};
const listTools = async () => (await platform.send("GET /tools?limit=200")).items;
const schemaOf = async (name: string) =>
  (await listTools()).find((tool: { name: string }) => tool.name === name).input_schema;

async function request(input: object = REQUEST) {
  isPolling = true;
  try {
    return await call("request_human_approval", input);
  } finally {
    isPolling = false;
  }
}
const pendingId = async () => (await platform.send("GET /approvals")).items[0].id;
const decide = async (approved: boolean) =>
  platform.send(`POST /approvals/${await pendingId()}/decide`, { approved }, "manager");

describe("the tool catalog", () => {
  quote(
    "- Agents call tools (playbook execution, approval requests, case and report operations) with a uniform result envelope.",
  );

  it.each(["execute_playbook", "request_human_approval", "create_case", "update_case", "generate_report"])(
    "contains %s",
    async (name) => {
      expect((await listTools()).map((tool: { name: string }) => tool.name)).toContain(name);
    },
  );

  it.each([
    ["execute_playbook", ["alert_id", "playbook_id"]],
    ["request_human_approval", ["action", "justification"]],
    ["create_case", []],
    ["update_case", ["case_id"]],
    ["generate_report", []],
  ])("publishes the required inputs of %s: %j", async (name, required) => {
    // The document marks no input of update_case as required, although the case is.
    expect(((await schemaOf(name)).required ?? []).toSorted()).toEqual(required);
  });

  it.each([
    ["execute_playbook", "playbook_id", "string"],
    ["execute_playbook", "alert_id", "string"],
    ["execute_playbook", "parameters", "object"],
    ["execute_playbook", "dry_run", "boolean"],
    ["request_human_approval", "action", "string"],
    ["request_human_approval", "justification", "string"],
    ["request_human_approval", "case_id", "string"],
    ["request_human_approval", "ttl_hours", "number"],
    ["create_case", "title", "string"],
    ["create_case", "alert_ids", "array"],
    ["create_case", "description", "string"],
    ["update_case", "case_id", "string"],
    ["update_case", "notes", "string"],
    ["generate_report", "case_id", "string"],
  ])("publishes the input of %s named %s as %s", async (name, field, type) => {
    expect(JSON.stringify((await schemaOf(name)).properties[field])).toContain(`"type":"${type}"`);
  });

  it.each([
    ["execute_playbook", "dry_run", false],
    ["request_human_approval", "ttl_hours", 4],
    ["generate_report", "format", "markdown"],
  ])("publishes the default of %s for %s: %j", async (name, field, value) => {
    expect((await schemaOf(name)).properties[field]).toMatchObject({ default: value });
  });

  it.each(["create_case", "update_case"])("publishes severity as an input of %s", async (name) => {
    expect(Object.keys((await schemaOf(name)).properties)).toContain("severity");
  });

  it("publishes status as an input of update_case", async () => {
    expect(Object.keys((await schemaOf("update_case")).properties)).toContain("status");
  });
});

describe(
  quote("Every tool returns an envelope with status, error_code, error; internal detail is never returned."),
  () => {
    const CALLS: [string, object][] = [
      ["execute_playbook", { playbook_id: "waits" }],
      ["create_case", { title: "Found by a tool" }],
      ["generate_report", { report_type: "executive" }],
    ];

    it.each(CALLS)("%s returns the envelope without an error for %j", async (tool, input) => {
      const complete = tool === "execute_playbook" ? { ...input, alert_id } : input;
      expect(await call(tool, complete)).toMatchObject({
        status: expect.any(String),
        error_code: null,
        error: null,
      });
    });

    it.each([
      ["execute_playbook", { playbook_id: "nope", alert_id: NOTHING }],
      ["execute_playbook", {}],
      ["request_human_approval", {}],
      ["create_case", { title: 1 }],
      ["update_case", { case_id: NOTHING, status: "open" }],
      ["generate_report", { report_type: "poem" }],
    ])("a failed %s with %j returns an error code and an error", async (tool, input) => {
      const answer = await call(tool, input);
      expect(answer).toMatchObject({
        status: expect.any(String),
        error_code: expect.stringMatching(/^[a-z_]+$/),
        error: expect.any(String),
      });
      expect(JSON.stringify(answer)).not.toMatch(/stack|\.ts\b|SELECT|postgres|node_modules/);
    });

    it("returns an error code and an error for update_case", async () => {
      expect(await call("update_case", { case_id, severity: "high" })).toMatchObject({ error_code: null, error: null });
    });
  },
);

describe("a budget of one call", () => {
  quote("An optional per-call execution budget applies.");

  it("ends a call that takes longer than its optional budget", async () => {
    const answer = await call("request_human_approval", { ...REQUEST, action: "with a budget", budget_ms: 200 });
    expect(answer).toMatchObject({ error_code: expect.any(String), error: expect.any(String) });
  });
});

describe(
  quote(
    "| execute_playbook | playbook_id*, alert_id*, parameters (object), dry_run (boolean, default false) | execution_id, status, steps_completed, total_steps, dry_run |",
  ),
  () => {
    const INPUT = { playbook_id: "waits" };

    it.each([
      ["execution_id", expect.any(String)],
      ["status", expect.any(String)],
      ["steps_completed", 0],
      ["total_steps", 2],
      ["dry_run", false],
    ])("returns %s", async (field, value) => {
      expect(await call("execute_playbook", { ...INPUT, alert_id })).toMatchObject({ [field]: value });
    });

    it("accepts parameters", async () => {
      const answer = await call("execute_playbook", { ...INPUT, alert_id, parameters: { host: "ws-9" } });
      expect(await platform.send(`GET /soar/executions/${answer.execution_id}`)).toMatchObject({
        alert_id,
        parameters: { host: "ws-9" },
      });
    });

    it("executes nothing with dry_run true", async () => {
      const { total } = await platform.send("GET /soar/executions");
      expect(await call("execute_playbook", { ...INPUT, alert_id, dry_run: true })).toMatchObject({ dry_run: true });
      expect((await platform.send("GET /soar/executions")).total).toBe(total);
    });

    it("reports no error and requests no approval for a critical playbook with dry_run true", async () => {
      const { total } = await platform.send("GET /approvals");
      const answer = await call("execute_playbook", { playbook_id: "isolates", alert_id, dry_run: true });
      expect(answer).toMatchObject({ dry_run: true, error_code: null, error: null });
      expect(answer.status).not.toBe("pending_approval");
      expect((await platform.send("GET /approvals")).total).toBe(total);
    });

    it.each(["playbook_id", "alert_id"])("requires %s", async (field) => {
      const answer = await call("execute_playbook", { ...INPUT, alert_id, [field]: undefined });
      expect(answer).toMatchObject({ error: expect.stringContaining(field) });
    });

    it.each([
      ["playbook_id", 1],
      ["alert_id", {}],
      ["parameters", "host"],
      ["dry_run", "yes"],
    ])("refuses %s = %j", async (field, value) => {
      const answer = await call("execute_playbook", { ...INPUT, alert_id, [field]: value });
      expect(answer).toMatchObject({ error_code: expect.any(String), error: expect.stringContaining(field) });
    });

    it.each(["data-theft", "firmware-mismatch", "leaked-credential", "lost-device", "ransomware-host"])(
      "waits for an approval of %s and executes nothing",
      async (playbook_id) => {
        const { total } = await platform.send("GET /soar/executions");
        expect(await call("execute_playbook", { playbook_id, alert_id })).toMatchObject({ status: "pending_approval" });
        expect((await platform.send("GET /soar/executions")).total).toBe(total);
      },
    );
  },
);

describe("request_human_approval", () => {
  quote(
    "| request_human_approval | action*, justification*, case_id, ttl_hours (number, default 4) | approval_id, status, decided_by; or status timeout with message |",
  );

  describe(quote("request_human_approval polls every 30 seconds, at most 10 times, then reports timeout."), () => {
    it("polls 10 times and reports timeout", async () => {
      expect(await request()).toMatchObject({ status: "timeout", message: expect.stringMatching(/./) });
      expect(polls).toEqual(Array(10).fill(POLL_MS));
    });

    it.each([1, 5, 10])("finds a decision that was made before poll %i", async (count) => {
      onPoll = async (at) => at === count && decide(true);
      const answer = await request({ ...REQUEST, action: `decided before poll ${count}` });
      expect(answer).toMatchObject({ status: "approved", decided_by: "manager" });
      expect(polls).toHaveLength(count);
    });
  });

  it(
    quote(
      "| approval pending | polling by the approval tool | no decision after 10 polls at 30-second intervals | timeout | returns approval_id, status timeout and a message |",
    ),
    async () => {
      const answer = await request({ ...REQUEST, action: "without a decision" });
      expect(answer).toMatchObject({
        approval_id: expect.any(String),
        status: "timeout",
        message: expect.stringMatching(/./),
      });
      expect(polls).toHaveLength(10);
    },
  );

  it(quote("| Approval polling | 10 polls, 30-second interval |"), async () => {
    await request({ ...REQUEST, action: "polled" });
    expect([polls.length, new Set(polls)]).toEqual([10, new Set([30_000])]);
  });

  it(quote("Approval statuses seen: pending, timeout (and a decided status)."), async () => {
    const seen: string[] = [];
    onPoll = async () => {
      const [item] = (await platform.send("GET /approvals")).items;
      seen.push(item.status);
    };
    const { status } = await request({ ...REQUEST, action: "seen" });
    onPoll = () => decide(true);
    const { status: decided } = await request({ ...REQUEST, action: "seen and decided" });
    expect([new Set(seen), status, decided]).toEqual([new Set(["pending"]), "timeout", "approved"]);
  });

  it.each([
    [true, "approved"],
    [false, "rejected"],
  ])("returns approval_id, status and decided_by of a decision: approved %s", async (approved, status) => {
    onPoll = () => decide(approved);
    expect(await request({ ...REQUEST, action: `decided ${status}` })).toMatchObject({
      approval_id: expect.any(String),
      status,
      decided_by: "manager",
    });
  });

  it("accepts the case", async () => {
    onPoll = () => decide(true);
    const { approval_id } = await request({ ...REQUEST, action: "with a case", case_id });
    expect(await platform.send(`GET /approvals/${approval_id}`)).toMatchObject({ case_id });
  });

  it("keeps the approval pending after the tool stopped polling, and accepts its decision", async () => {
    const { approval_id } = await request({ ...REQUEST, action: "decided after the polls" });
    const { items } = await platform.send("GET /approvals?limit=200");
    expect(items.map(({ id }: { id: string }) => id)).toContain(approval_id);
    const decided = await platform.send(`POST /approvals/${approval_id}/decide`, { approved: true }, "manager");
    expect(decided).toMatchObject({ status: "approved", decided_by: "manager" });
    expect(await request({ ...REQUEST, action: "decided after the polls" })).toMatchObject({ status: "approved" });
  });

  describe(quote("| Approval request time to live | ttl_hours default 4 |"), () => {
    it.each([
      [undefined, 4],
      [4, 4],
      [0.5, 0.5],
      [24, 24],
    ])("ttl_hours %s keeps an approval open for %s hours", async (ttl_hours, hours) => {
      onPoll = () => decide(true);
      const { approval_id } = await request({ ...REQUEST, action: `lives ${ttl_hours}`, ttl_hours });
      const { requested_at, expires_at } = await platform.send(`GET /approvals/${approval_id}`);
      expect(Date.parse(expires_at) - Date.parse(requested_at)).toBe(hours * HOUR_MS);
    });
  });

  it.each(["action", "justification"])("requires %s", async (field) => {
    expect(await request({ ...REQUEST, [field]: undefined })).toMatchObject({ error: expect.stringContaining(field) });
    expect(polls).toEqual([]);
  });

  it.each([
    ["action", 1],
    ["justification", {}],
    ["case_id", 1],
    ["ttl_hours", "four"],
  ])("refuses %s = %j", async (field, value) => {
    const answer = await request({ ...REQUEST, [field]: value });
    expect(answer).toMatchObject({ error_code: expect.any(String), error: expect.stringContaining(field) });
    expect(polls).toEqual([]);
  });
});

describe(quote("| create_case | title, severity, alert_ids, description | case_id, status open |"), () => {
  it("returns case_id and the status open", async () => {
    const answer = await call("create_case", { title: "Opened" });
    expect(answer).toMatchObject({ case_id: expect.any(String), status: "open" });
    expect(await platform.send(`GET /cases/${answer.case_id}`)).toMatchObject({ status: "open", title: "Opened" });
  });

  it("accepts severity, alert_ids and description", async () => {
    const alert = await platform.send("POST /alerts", { title: "for a case", source: "sensor" });
    const input = { title: "Whole", severity: "high", description: "all of it", alert_ids: [alert.id] };
    const opened = await call("create_case", input);
    expect(await platform.send(`GET /cases/${opened.case_id}`)).toMatchObject({
      severity: "high",
      description: "all of it",
    });
    await platform.send(`DELETE /cases/${opened.case_id}`);
    expect(await platform.send(`GET /alerts/${alert.id}`)).toMatchObject({ status: "triaged" });
  });

  it("marks no input as required", async () => {
    expect(await call("create_case", {})).toMatchObject({ case_id: expect.any(String), status: "open" });
  });
});

describe(quote("| update_case | case_id, status, notes, severity | case_id, status |"), () => {
  it.each([
    ["status", "investigating"],
    ["severity", "critical"],
  ])("changes %s", async (field, value) => {
    const answer = await call("update_case", { case_id, [field]: value });
    expect(answer).toMatchObject({ case_id, status: "investigating" });
    expect(await platform.send(`GET /cases/${case_id}`)).toMatchObject({ [field]: value });
  });

  it("stores the notes with the case", async () => {
    await call("update_case", { case_id, notes: "The host is offline" });
    expect(JSON.stringify(await platform.send(`GET /cases/${case_id}`))).toContain("The host is offline");
  });
});

describe(
  quote(
    "| generate_report | report_type (investigation, executive, compliance), case_id, format (default markdown) | report_id, content |",
  ),
  () => {
    it.each(["investigation", "executive", "compliance"])(
      "returns report_id and content of type %s",
      async (report_type) => {
        const answer = await call("generate_report", { report_type, case_id });
        expect(answer).toMatchObject({ report_id: expect.any(String), content: expect.stringMatching(/./) });
        expect(await platform.send(`GET /reports/${answer.report_id}`)).toMatchObject({
          report_type,
          format: "markdown",
        });
      },
    );

    it("requires no input", async () => {
      expect(await call("generate_report", {})).toMatchObject({ report_id: expect.any(String), error: null });
    });

    it("refuses another type", async () => {
      expect(await call("generate_report", { report_type: "poem" })).toMatchObject({ error_code: expect.any(String) });
    });
  },
);
