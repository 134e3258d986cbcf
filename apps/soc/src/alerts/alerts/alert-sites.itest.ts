import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTwoSites, type TwoSites } from "../../../testing/harness/two-sites.ts";

let world: TwoSites;

beforeAll(async () => {
  world = await startTwoSites();
}, 120_000);
afterAll(() => world.close());

const ofUser = async (method: string, path: string, body?: object) => {
  const { status, text } = await world.ask(world.user, method, path, body);
  return { status, body: JSON.parse(text) };
};

describe("repeated reports and sites", () => {
  const source = "same";
  const raise = (title: string, site?: string, more: object = {}) =>
    world.asAdmin("POST", "/alerts", { title, source, ...(site !== undefined && { site }), ...more });
  const setFingerprint = (id: string, fingerprint: string) =>
    world.query("UPDATE alerts SET fingerprint = $1 WHERE id = $2", [fingerprint, id]);

  it("merges equal reports of callers with all sites into one alert, whatever site they name", async () => {
    const first = await raise("f");
    expect(await raise("f", "Alpha")).toMatchObject({ id: first.id, site: null, occurrence_count: 2 });
    expect(await raise("f", "Beta")).toMatchObject({ id: first.id, site: null, occurrence_count: 3 });
    const ofAlpha = await raise("g", "Alpha");
    expect(await raise("g", "Beta")).toMatchObject({ id: ofAlpha.id, site: "Alpha", occurrence_count: 2 });
    expect(await raise("g")).toMatchObject({ id: ofAlpha.id, site: "Alpha", occurrence_count: 3 });
  });

  it("merges reports of callers with one site into an alert of that site, and counts reports of callers with all sites there", async () => {
    const ofBeta = await raise("h", "Beta");
    const own = await ofUser("POST", "/alerts", { title: "h", source });
    expect([own.status, own.body.site, own.body.id === ofBeta.id]).toEqual([201, "Alpha", false]);
    const again = await ofUser("POST", "/alerts", { title: "h", source });
    expect([again.status, again.body]).toMatchObject([200, { id: own.body.id, occurrence_count: 2 }]);
    const ofAlpha = await raise("i", "Alpha");
    expect(await ofUser("POST", "/alerts", { title: "i", source })).toMatchObject({
      status: 200,
      body: { id: ofAlpha.id, occurrence_count: 2 },
    });
    expect(await raise("i", "Beta")).toMatchObject({ id: ofAlpha.id, occurrence_count: 3 });
  });

  it("hides details of a report from another site, even if it reopens the alert", async () => {
    const [word, host, user] = ["qhiddenz secret", "qhiddenz-host", "qhiddenz-user"];
    const log_ids = ["qhiddenz-log"];
    const shown = { host: "own-host", description: "own text" };
    const more = { host, user, description: word, log_ids, tags: ["qhiddenz"], mitre_techniques: ["qhiddenz"] };
    const { id } = await raise("j", "Alpha", shown);
    for (const [site, status] of [
      ["Beta", "resolved"],
      [undefined, "false_positive"],
    ] as const) {
      await raise("j", site, more);
      await ofUser("PATCH", `/alerts/${id}`, { status });
      expect(await raise("j", site, more)).toMatchObject({ id, status: "new", site: "Alpha", ...shown });
    }
    for (const path of ["", "/full", "/context"]) {
      const { text } = await world.ask(world.user, "GET", `/alerts/${id}${path}`);
      expect(text).not.toContain("qhiddenz");
    }
    expect((await ofUser("GET", `/alerts?host=${host}`)).body.items).toEqual([]);
    expect((await ofUser("GET", "/alerts?q=qhiddenz")).body.items).toEqual([]);
  });

  it("merges simultaneous reports of callers with all sites into one alert", async () => {
    const sites = ["Alpha", "Beta", undefined, "Alpha", "Beta", undefined];
    const raised = await Promise.all(sites.map((site) => raise("k", site)));
    expect(new Set(raised.map(({ id }) => id)).size).toBe(1);
    expect(Math.max(...raised.map(({ occurrence_count }) => occurrence_count))).toBe(sites.length);
  });

  it("finds an alert that an earlier release stored with or without the site in its fingerprint", async () => {
    const old = await raise("l", "Alpha");
    await setFingerprint(old.id, createHash("sha256").update('["l","same",[],"Alpha"]').digest("hex"));
    expect(await raise("l", "Alpha")).toMatchObject({ id: old.id, occurrence_count: 2 });
    expect(await ofUser("POST", "/alerts", { title: "l", source })).toMatchObject({ body: { id: old.id } });
    await setFingerprint(old.id, createHash("sha256").update('["l","same",[]]').digest("hex"));
    expect(await ofUser("POST", "/alerts", { title: "l", source })).toMatchObject({ body: { id: old.id } });
    expect(await raise("l", "Beta")).toMatchObject({ id: old.id, occurrence_count: 5 });
  });
});
