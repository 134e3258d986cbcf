import { silentLog } from "@kit/log/silent";
import { describe, expect, it } from "vitest";
import type { Caller } from "../caller/caller.ts";
import { createFinder, createSiteFinder, filterByTitle, findOrSearch } from "./finder.ts";
import { createSearchService } from "./search.service.ts";

const caller: Caller = { kind: "user", username: "tia", role: "tier1" };
const toFound = (id: string) => ({ id, title: `title of ${id}`, subtitle: "", at: null });
const finding = (kind: string) => createFinder(kind, ["alerts:read"], async () => [toFound(kind)]);
const deps = { clock: { sleep: () => new Promise<void>(() => undefined) }, log: silentLog };

describe("GET /search", () => {
  it("queries every kind that the caller may read, in order", async () => {
    const secret = createFinder("approval", ["approvals:manage"], async () => [toFound("approval")]);
    const search = createSearchService({ ...deps, finders: [finding("alert"), secret, finding("case")] });
    const { items, kinds, is_partial } = await search.search(caller, { q: "ws-1" });
    expect(items.map(({ kind, id }) => [kind, id])).toEqual([
      ["alert", "alert"],
      ["case", "case"],
    ]);
    expect({ kinds, is_partial }).toEqual({ kinds: ["alert", "case"], is_partial: false });
  });

  it("queries only kinds that respect sites for a caller restricted to sites", async () => {
    const found = createSiteFinder("alert", ["alerts:read"], async ({ sites = [] }) => sites.map(toFound));
    const search = createSearchService({ ...deps, finders: [found, finding("case")] });
    const limited = { ...caller, sites: ["Alpha"] };
    expect(await search.search(limited, { q: "ws-1" })).toMatchObject({ items: [{ id: "Alpha" }], kinds: ["alert"] });
    expect((await search.search(limited, { q: "ws-1", kinds: ["case"] })).items).toEqual([]);
  });

  it("queries only the named kinds, and refuses unknown ones", async () => {
    const search = createSearchService({ ...deps, finders: [finding("alert"), finding("case")] });
    expect((await search.search(caller, { q: "ws-1", kinds: ["case"] })).kinds).toEqual(["case"]);
    await expect(search.search(caller, { q: "ws-1", kinds: ["cases"] })).rejects.toThrow(
      "kinds: 'cases' is not one of alert, case",
    );
  });

  it("omits kinds that fail or are late, and names them in the response", async () => {
    const late = createFinder("log", "authenticated", () => new Promise(() => undefined));
    const failing = createFinder("rule", "authenticated", () => Promise.reject(new Error("gone")));
    const clock = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) };
    const search = createSearchService({ ...deps, clock, finders: [finding("alert"), late, failing] });
    expect(await search.search(caller, { q: "ws-1" })).toMatchObject({
      items: [{ kind: "alert" }],
      kinds: ["alert"],
      is_partial: true,
    });
  });

  it.each(["--", "  ", "?!"])("refuses %j, which has neither a letter nor a digit", async (q) => {
    const search = createSearchService({ ...deps, finders: [finding("alert")] });
    await expect(search.search(caller, { q })).rejects.toThrow("q: must contain a letter or a digit");
  });
});

describe("finder helpers", () => {
  const id = "0190f5d2-5b1a-7c3d-8e4f-1234567890ab";

  it("reads the record with an id, and searches for other texts", async () => {
    const get = async (wanted: string) => ({ wanted });
    const search = async () => ({ items: [{ wanted: "searched" }] });
    expect(await findOrSearch(id, get, search)).toEqual([{ wanted: id }]);
    expect(await findOrSearch("ws-1", get, search)).toEqual([{ wanted: "searched" }]);
  });

  it("matches the text in titles case-insensitively, up to the limit", () => {
    const found = ["Isolate host", "isolate user", "Scan"].map((title) => ({ ...toFound(title), title }));
    expect(filterByTitle(found, "ISOLATE", 5).map(({ title }) => title)).toEqual(["Isolate host", "isolate user"]);
    expect(filterByTitle(found, "isolate", 1)).toHaveLength(1);
  });
});
