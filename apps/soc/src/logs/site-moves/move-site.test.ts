import { expect, it } from "vitest";
import type { KnownCell } from "../../casework/cells/cell.ts";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { createMoveSite, type MoveSiteDeps } from "./move-site.ts";

const CAIRO = { id: "0197f000-0000-7000-8000-0000000000a1", name: "Cairo" };
const PAGE_SIZE = 3;
const HASH = "a".repeat(64);
const noWait = { sleep: async () => undefined };

interface Body {
  to?: string;
  part?: string;
  items?: readonly string[];
}

/** A cell in memory, with the routes of docs/api/soc.md that a move asks. */
function createCell(name: string, ids: readonly string[]) {
  const sites = new Map(ids.length > 0 ? [[CAIRO.id, CAIRO.name]] : []);
  const parts = ["cases", "alerts", "logs"].map(
    (part) => [part, new Map(ids.map((id) => [id, `${part} ${id}`]))] as const,
  );
  const records = new Map(parts);
  let state: "frozen" | "moved" | undefined;
  let polls = 0;
  const stored: string[] = [];

  function page(query: URLSearchParams) {
    const [after, limit] = [query.get("after") ?? "", Math.min(Number(query.get("limit") ?? PAGE_SIZE), PAGE_SIZE + 1)];
    const all = [...(records.get(query.get("part") ?? "") ?? [])]
      .filter(([id]) => id > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const items = all.slice(0, limit).map(([, text]) => text);
    const next = items.length < limit ? null : (all[limit - 1]?.[0] ?? null);
    const shown = query.has("only") ? [] : items;
    return { items: shown, count: items.length, digest: sha256Hex(JSON.stringify(items)), next, last_entries: [] };
  }

  function describe(): object {
    const listed = state === "moved" ? [] : [...sites].map(([id, site]) => ({ id, name: site }));
    const signed = { at: "2026-11-18T10:00:00Z", checkpoint: null, public_key: HASH, signature: HASH + HASH };
    return { cell: name, statement: { cell: name, sites: listed, ...signed }, cells: [], tree: null };
  }

  function freeze({ to }: Body): object {
    state ??= "frozen";
    polls += 1;
    const site = { site_id: CAIRO.id, site_name: CAIRO.name, profile: { asset_classes: [] } };
    return { ...site, to, state, is_settled: polls > 1 };
  }

  function put({ part = "", items = [] }: Body): object | undefined {
    if (sites.size > 0) return undefined;
    for (const text of items) records.get(part)?.set(text.split(" ")[1] ?? "", text);
    stored.push(...items);
    return { count: items.length };
  }

  const SITE = { site_id: CAIRO.id, site_name: CAIRO.name };
  const routes: Record<string, (body: Body) => object | undefined> = {
    "GET /cells?only=self": describe,
    "POST /cells/moves": freeze,
    "POST /cells/moves/records": put,
    "POST /cells/moves/arrivals"() {
      sites.set(CAIRO.id, CAIRO.name);
      return SITE;
    },
    [`POST /cells/moves/${CAIRO.id}/end`]() {
      state = "moved";
      return SITE;
    },
    [`DELETE /cells/moves/${CAIRO.id}`]() {
      state = undefined;
      return { deleted: true, id: CAIRO.id };
    },
  };
  const answer = (method: string, path: string, body: Body = {}) =>
    path.startsWith("/cells/moves/records?")
      ? page(new URLSearchParams(path.split("?")[1]))
      : routes[`${method} ${path}`]?.(body);
  const cell: KnownCell = { name, url: `https://${name}.example`, key_id: HASH, ring: 1, apiKey: "k" };
  return { cell, answer, records, stored, sites, state: () => state };
}

const IDS = ["1", "2", "3", "4", "5", "6", "7"];

/** Two cells, and a line that breaks at one request: before it arrives, or before its answer does. */
function createWorld(breaksAt = 0, breaks: "before" | "after" = "before") {
  const [north, south] = [createCell("north", IDS), createCell("south", [])];
  let requests = 0;
  const send: MoveSiteDeps["send"] = async ({ name }, method, path, body) => {
    requests += 1;
    if (requests === breaksAt && breaks === "before") throw new Error("cut off");
    const answer = (name === "north" ? north : south).answer(method, path, body);
    if (requests === breaksAt) throw new Error("cut off");
    return {
      status: answer ? 200 : 409,
      retryAfterSeconds: 0,
      text: JSON.stringify(answer ?? { detail: "it has it" }),
    };
  };
  const lines: string[] = [];
  const cells = [north.cell, south.cell];
  const made = createMoveSite({ cells, send, clock: noWait, print: (line) => lines.push(line) });
  return { north, south, ...made, lines, requests: () => requests };
}

it("copies all records, compares them, and lets the other cell have the site", async () => {
  const { north, south, move, lines } = createWorld();
  await move("Cairo", "south");
  expect([...south.records]).toEqual([...north.records]);
  expect(south.stored).toHaveLength(3 * IDS.length);
  expect([north.state(), [...south.sites.values()]]).toEqual(["moved", ["Cairo"]]);
  expect(lines.at(-1)).toBe("site 'Cairo' is in cell 'south'");
  await move(CAIRO.id, "south");
  expect(south.stored).toHaveLength(3 * IDS.length);
});

const whole = createWorld();
await whole.move("Cairo", "south");
const cuts = Array.from({ length: whole.requests() }, (_, place) => place + 1);

it.each(["before", "after"] as const)(
  "ends in the same way when it was cut off %s any of its requests",
  async (when) => {
    expect(cuts.length).toBeGreaterThan(20);
    for (const cut of cuts) {
      const { north, south, move } = createWorld(cut, when);
      await expect(move("Cairo", "south")).rejects.toThrow("cut off");
      await move("Cairo", "south");
      expect([...south.records]).toEqual([...north.records]);
      expect([north.state(), [...south.sites.values()]]).toEqual(["moved", ["Cairo"]]);
    }
  },
);

it("does not give the site to a cell with other records", async () => {
  const { north, south, move } = createWorld();
  south.records.get("alerts")?.set("8", "alerts 8");
  await expect(move("Cairo", "south")).rejects.toThrow("alerts of both cells differ after 6");
  expect([north.state(), south.sites.size]).toEqual(["frozen", 0]);
});

it("lets the site stay, unless the other cell has it", async () => {
  const { north, south, move, cancel } = createWorld();
  south.records.get("logs")?.set("0", "logs 0");
  await expect(move("Cairo", "south")).rejects.toThrow("differ");
  await cancel("Cairo", "south");
  expect(north.state()).toBeUndefined();
  south.records.get("logs")?.delete("0");
  await move("Cairo", "south");
  await expect(cancel("Cairo", "south")).rejects.toThrow("cell 'south' has site 'Cairo' already");
});

it("names a site and a cell that do not exist", async () => {
  const { move } = createWorld();
  await expect(move("Luxor", "south")).rejects.toThrow("no cell has site 'Luxor'");
  await expect(move("Cairo", "west")).rejects.toThrow("--to: 'west' is none of the cells of SOC_CELLS_FILE");
});
