import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Handshake, startHandshake } from "../../../testing/harness/handshake-world.ts";

const ROUTES = ["soar/playbooks", "playbooks"] as const;
const HOST = { name: "host", type: "text", description: "The hostname" };
const INPUTS = [{ ...HOST, from: "alert.host" }];
const STEPS = [{ id: "isolate", action: "edr.isolate", params: { endpoint: "{parameters.host}" } }];
const CHOSEN = /the input 'host' is chosen at execution/;

let soc: Handshake;
beforeEach(async () => {
  soc = await startHandshake();
});
afterEach(() => soc.close());

const cutOff = (fields: object = {}) => soc.keep("cut-off", { inputs: INPUTS, steps: STEPS, ...fields });

/** Requests the playbook without its input. */
async function ask(payload?: object): Promise<string> {
  return (await soc.execute("cut-off", payload)).json().approval_id;
}

const isolated = async () => {
  await soc.driveToEnd();
  return [...soc.adapter.calls.keys()].length;
};

describe.each(ROUTES)("critical playbooks at /%s", (route) => {
  it("requests an approval when it is executed without a body", async () => {
    await soc.seed();
    const critical = (await soc.parts.playbooks.list({ critical: true })).items;
    expect(critical.map(({ id }) => id)).toEqual([
      "data-theft",
      "firmware-mismatch",
      "leaked-credential",
      "lost-device",
      "ransomware-host",
    ]);
    for (const { id, name, steps, inputs } of critical) {
      const asked = await soc.execute(id, undefined, "tier3", route);
      const { approval_id, message, ...answer } = asked.json();
      const missing = inputs.filter(({ required }) => required).map((input) => input.name);
      expect([id, asked.statusCode, answer]).toEqual([
        id,
        200,
        {
          playbook_id: id,
          playbook_name: name,
          status: "pending_approval",
          requires_approval: true,
          steps_total: steps.length,
          missing_inputs: missing.map((each) => expect.objectContaining({ name: each, type: "text" })),
        },
      ]);
      for (const each of missing) expect(message).toContain(each);
      const shown = await soc.approval(approval_id);
      expect(shown).toMatchObject({ id: approval_id, status: "pending", missing_inputs: answer.missing_inputs });
      expect(shown.effect.some(({ summary }: { summary: string }) => /is chosen at execution/.test(summary))).toBe(
        true,
      );
      expect((await soc.decide(approval_id, { approved: true })).statusCode).toBe(200);
    }
    expect(await soc.executionCount()).toBe(0);
  });
});

it("returns the same pending approval when the same request is repeated without its inputs", async () => {
  await cutOff();
  const approval_id = await ask();
  expect(await ask({})).toBe(approval_id);
  expect(await ask({ parameters: { host: "" } })).toBe(approval_id);
  expect((await soc.execute(`cut-off?approval_id=${approval_id}`)).json()).toMatchObject({
    status: "pending_approval",
    approval_id,
    missing_inputs: [HOST],
  });
});

it("binds an input in the repeated call and records who set it", async () => {
  await cutOff();
  const approval_id = await ask();
  expect((await soc.approval(approval_id)).effect).toEqual([
    { summary: expect.stringMatching(CHOSEN), sends: expect.anything() },
  ]);
  expect((await soc.decide(approval_id, { approved: true })).json()).toMatchObject({
    status: "approved",
    missing_inputs: [HOST],
  });
  const query = `cut-off?approval_id=${approval_id}`;
  const refused = await soc.execute(query);
  const detail = "parameters.host: is required, because alert.host has no value";
  expect([refused.statusCode, refused.json()]).toEqual([400, { detail }]);
  const wrong = await soc.execute(query, { parameters: { host: 7 } });
  expect([wrong.statusCode, wrong.json()]).toEqual([400, { detail: "parameters.host: must be a text" }]);
  const other = await soc.execute(query, { parameters: { host: "WS-1", note: "more" } });
  expect([other.statusCode, other.json().detail]).toEqual([
    409,
    expect.stringMatching(/was granted for another body$/),
  ]);
  expect(await soc.executionCount()).toBe(0);

  const begun = await soc.execute(query, { parameters: { host: "WS-1" } });
  expect(begun.json()).toMatchObject({ status: "queued" });
  const { execution_id } = begun.json();
  expect(await isolated()).toBe(1);
  expect(await soc.parts.executions.get(execution_id)).toMatchObject({
    status: "completed",
    parameters: { host: "WS-1" },
  });
  expect(await soc.approval(approval_id)).toMatchObject({
    execution_id,
    parameters: { host: "WS-1" },
    missing_inputs: [],
    effect: [{ summary: "Does edr.isolate", sends: [{ body: { endpoint: "WS-1" } }] }],
  });
  expect(await soc.audited(approval_id)).toContainEqual({
    actor: "tier3",
    action: "approval.inputs_set",
    details: expect.objectContaining({ inputs: { host: "WS-1" }, set_at: "execution" }),
  });
  // The repeated call finds its execution, with the inputs or without them.
  for (const payload of [undefined, {}, { parameters: { host: "WS-1" } }]) {
    expect((await soc.execute(query, payload)).json()).toMatchObject({ execution_id, status: "completed" });
  }
  expect((await soc.execute(query, { parameters: { host: "DC-01" } })).statusCode).toBe(409);
  expect(await isolated()).toBe(1);
});

it("binds an input with the decision, and the repeated call cannot change it", async () => {
  await cutOff();
  const approval_id = await ask();
  const decided = await soc.decide(approval_id, { approved: true, parameters: { host: "WS-1" } });
  expect([decided.statusCode, decided.json()]).toEqual([
    200,
    expect.objectContaining({
      status: "approved",
      parameters: { host: "WS-1" },
      missing_inputs: [],
      effect: [expect.objectContaining({ summary: "Does edr.isolate" })],
    }),
  ]);
  expect(await soc.audited(approval_id)).toContainEqual({
    actor: "manager",
    action: "approval.inputs_set",
    details: expect.objectContaining({ inputs: { host: "WS-1" }, set_at: "decision" }),
  });
  const query = `cut-off?approval_id=${approval_id}`;
  const changed = await soc.execute(query, { parameters: { host: "DC-01" } });
  expect([changed.statusCode, changed.json().detail]).toEqual([
    409,
    expect.stringMatching(/was granted for another body$/),
  ]);
  const { execution_id } = (await soc.execute(query)).json();
  expect(await isolated()).toBe(1);
  expect(await soc.parts.executions.get(execution_id)).toMatchObject({ parameters: { host: "WS-1" } });
});

it("refuses a decision with an input that is unknown, already set or of a wrong type", async () => {
  await cutOff({ inputs: [...INPUTS, { name: "reason" }] });
  const approval_id = await ask({ parameters: { reason: "it spreads" } });
  const cases: [object, string][] = [
    [{ approved: true, parameters: { host: 7 } }, "parameters.host: must be a text"],
    [{ approved: true, parameters: { hosts: "WS-1" } }, "parameters.hosts: is not a missing input of this approval"],
    [{ approved: true, parameters: { reason: "x" } }, "parameters.reason: is not a missing input of this approval"],
    [{ approved: false, parameters: { host: "WS-1" } }, "parameters: must be absent in a rejection"],
    [{ approved: true, parameters: { host: "WS\0" } }, "parameters: contains a character that cannot be stored"],
  ];
  for (const [payload, detail] of cases) {
    const refused = await soc.decide(approval_id, payload);
    expect([refused.statusCode, refused.json().detail]).toEqual([
      400,
      expect.stringContaining(detail.split(":")[0] ?? ""),
    ]);
    if (!detail.includes("character")) expect(refused.json()).toEqual({ detail });
  }
  expect(await soc.approval(approval_id)).toMatchObject({
    status: "pending",
    parameters: { reason: "it spreads" },
    missing_inputs: [HOST],
    votes: [],
  });
});

it("keeps the inputs of the request and accepts only missing ones in the repeated call", async () => {
  await cutOff({ inputs: [...INPUTS, { name: "reason" }] });
  const approval_id = await ask({ parameters: { reason: "it spreads" } });
  await soc.decide(approval_id, { approved: true });
  const query = `cut-off?approval_id=${approval_id}`;
  expect((await soc.execute(query, { parameters: { host: "WS-1", reason: "other" } })).statusCode).toBe(409);
  const { execution_id } = (await soc.execute(query, { parameters: { host: "WS-1" } })).json();
  expect(await soc.parts.executions.get(execution_id)).toMatchObject({
    parameters: { host: "WS-1", reason: "it spreads" },
  });
});

it("shows every approver of a quorum the inputs that earlier approvers set", async () => {
  await cutOff({ approval: { quorum: 2 } });
  const approval_id = await ask();
  const first = await soc.decide(approval_id, { approved: true, parameters: { host: "WS-1" } });
  expect(first.json()).toMatchObject({ status: "pending", parameters: { host: "WS-1" }, missing_inputs: [] });
  const second = await soc.decide(approval_id, { approved: true, parameters: { host: "DC-01" } }, "admin");
  expect(second.statusCode).toBe(400);
  expect((await soc.decide(approval_id, { approved: true }, "admin")).json()).toMatchObject({
    status: "approved",
    parameters: { host: "WS-1" },
  });
});

it("refuses a wrong type in the request, and a missing input of a playbook that is not critical", async () => {
  await cutOff();
  const wrong = await soc.execute("cut-off", { parameters: { host: ["WS-1"] } });
  expect([wrong.statusCode, wrong.json()]).toEqual([400, { detail: "parameters.host: must be a text" }]);
  await soc.keep("note", { inputs: INPUTS, steps: [{ id: "note", action: "case.create", params: { title: "x" } }] });
  const missing = await soc.execute("note");
  const detail = "parameters.host: is required, because alert.host has no value";
  expect([missing.statusCode, missing.json()]).toEqual([400, { detail }]);
  expect((await soc.app.inject("/api/v1/approvals")).json().total).toBe(0);
});

it("refuses the repeated call after the channel of an open effect has changed", async () => {
  await cutOff();
  const approval_id = await ask();
  await soc.decide(approval_id, { approved: true });
  soc.adapter.base = "https://other.example";
  const refused = await soc.execute(`cut-off?approval_id=${approval_id}`, { parameters: { host: "WS-1" } });
  expect([refused.statusCode, refused.json().detail]).toEqual([
    409,
    expect.stringMatching(/the effect has changed since$/),
  ]);
  const other = await ask({ parameters: { host: null } });
  expect(other).not.toBe(approval_id);
});

it("starts every built-in playbook with only an alert that names a host, a user and an address", async () => {
  await soc.seed();
  const alert = await soc.report({ host: "GW-7", user: "layla.haddad", iocs: ["evil.example", "198.51.100.77"] });
  const { items } = await soc.parts.playbooks.list({});
  expect(items).toHaveLength(10);
  for (const { id, critical } of items) {
    const answer = await soc.execute(id, { alert_id: alert.id });
    expect([id, answer.statusCode, answer.json().status]).toEqual([id, 200, critical ? "pending_approval" : "queued"]);
    if (critical) expect([id, answer.json().missing_inputs]).toEqual([id, []]);
  }
});
