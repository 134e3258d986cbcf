import Type from "typebox";
import type { Action, ActionName, OutsideAction, WaitAction } from "../src/soar/action.ts";

/** Whoever is asked outside. It counts what it was asked under each key, as a real one remembers keys. */
export interface Adapter {
  act(action: string, key: string, params: unknown, signal: AbortSignal): Promise<object>;
}

const Anything = Type.Object({}, { additionalProperties: true });
const Endpoint = Type.Object(
  {
    endpoint: Type.String({ minLength: 1 }),
    reason: Type.Optional(Type.String()),
    release_after_minutes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
const Request = Type.Object(
  { adapter: Type.String({ minLength: 1 }), path: Type.Optional(Type.String()), body: Type.Optional(Anything) },
  { additionalProperties: false },
);
const Indicator = Type.Object(
  {
    value: Type.String({ minLength: 1 }),
    type: Type.Optional(Type.String()),
    severity: Type.Optional(Type.String()),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
const Notice = Type.Object(
  { channel: Type.String({ minLength: 1 }), text: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);
const Report = Type.Object(
  { report_type: Type.Optional(Type.String()), format: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const Approval = Type.Object(
  {
    action: Type.String({ minLength: 1 }),
    justification: Type.Optional(Type.String()),
    ttl_hours: Type.Optional(Type.Number()),
    four_eyes: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** In place of the actions of other features: each asks the adapter, and nothing else. */
export function createFakeActions(adapter: Adapter): Action[] {
  const outside = (name: ActionName, params: OutsideAction["params"]): OutsideAction => ({
    name,
    kind: "outside",
    params,
    describe: async (given) => ({
      summary: `Does ${name}`,
      sends: [{ destination: "fake", method: "POST", url: `https://adapter.example/${name}`, body: given }],
    }),
    run: (given, { idempotencyKey, signal }) => adapter.act(name, idempotencyKey, given, signal),
  });
  return [
    outside("edr.isolate", Endpoint),
    outside("edr.unisolate", Endpoint),
    outside("edr.scan", Endpoint),
    outside("http.request", Request),
    outside("notify.webhook", Notice),
    outside("iocs.add", Indicator),
    outside("report.generate", Report),
  ];
}

/** In place of the approvals' own: nobody is asked. */
export function createFakeApprovalAction(nextId: () => string): WaitAction {
  return {
    name: "approval.request",
    kind: "wait",
    params: Approval,
    describe: async () => ({ summary: "Asks a person", sends: [] }),
    park: async () => ({ until: new Date(Date.now() + 4 * 3_600_000), approval_id: nextId() }),
  };
}

export interface MemoryAdapter extends Adapter {
  /** How often each key was asked for. */
  calls: Map<string, number>;
}

export function createMemoryAdapter(): MemoryAdapter {
  const calls = new Map<string, number>();
  return {
    calls,
    async act(_action, key) {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return { status: "completed" };
    },
  };
}
