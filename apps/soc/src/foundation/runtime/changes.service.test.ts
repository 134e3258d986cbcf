import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { describe, expect, it, vi } from "vitest";
import type { Caller } from "../caller/caller.ts";
import type { Tables } from "../database/tables.ts";
import { createChangesService } from "./changes.service.ts";
import type { Effect } from "./mode-table.ts";
import { buildTruth } from "./runtime.ts";

const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (owner) => new PostgresIntrospector(owner),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
const PERSON: Caller = { kind: "user", username: "sara", role: "responder" };
const SENSOR: Caller = { kind: "api_key", username: "key:edge", role: "agent", scopes: ["alerts:write"] };

function change(mode: "dry_run" | "real", caller: Caller | null, effect?: Effect) {
  const changes = createChangesService({ db, runtime: { truth: async () => buildTruth(mode, true) } });
  const work = vi.fn(async (_tx: unknown, by: Caller) => by.username);
  const config = effect ? { effect } : {};
  return { work, outcome: changes.run({ caller, routeOptions: { url: "/alerts", config } }, work) };
}

describe("changes.run", () => {
  it.each([
    ["dry_run", PERSON, "change", true],
    ["dry_run", PERSON, "finding", true],
    ["dry_run", SENSOR, "finding", false],
    ["real", PERSON, "change", false],
  ] as const)("applies the effect of the route in %s as %o: %s, preview %s", async (mode, caller, effect, dry_run) => {
    await expect(change(mode, caller, effect).outcome).resolves.toEqual({ dry_run, result: caller.username });
  });

  it.each([
    ["declares no effect", undefined],
    ["declares that it changes nothing", "none"],
  ] as const)("fails immediately on a route that %s", async (_says, effect) => {
    const { outcome, work } = change("real", PERSON, effect);
    await expect(outcome).rejects.toThrow("/alerts declares no effect and must not change anything");
    expect(work).not.toHaveBeenCalled();
  });

  it("fails immediately without a caller", async () => {
    const { outcome, work } = change("real", null, "change");
    await expect(outcome).rejects.toThrow("/alerts is public and has no caller");
    expect(work).not.toHaveBeenCalled();
  });
});
