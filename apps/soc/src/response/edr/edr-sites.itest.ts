import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectUnknown,
  type SendRequest,
  startTwoSites,
  type TestSite,
  type TwoSites,
} from "../../../testing/harness/limited-callers.ts";
import { NO_RESPONSE_SETTINGS } from "../../../testing/harness/whole-platform.ts";

const TABLES = ["edr_endpoints", "edr_actions", "approvals", "approval_votes"];

let soc: TwoSites;
let ofAlpha: SendRequest;
let keyOfAlpha: SendRequest;
let everywhere: SendRequest;
const ids = new Map<string, string>();

async function addEndpoint({ name: site, word }: Pick<TestSite, "name" | "word">, about = ""): Promise<string> {
  const id = randomUUID();
  const said = { hostname: `host${about}-${word}`, os: `os-${word}`, agent_version: `agent-${word}`, site };
  await soc.asAdmin("PUT", `/edr/endpoints/${id}`, said);
  await soc.asAdmin("POST", `/edr/endpoints/${id}/scan`, { reason: `why-${word}` });
  return id;
}

beforeAll(async () => {
  soc = await startTwoSites();
  const { alpha, beta } = soc;
  ids.set("alpha", await addEndpoint(alpha));
  ids.set("beta", await addEndpoint(beta));
  // One endpoint with the id of its site, and one without.
  await addEndpoint({ name: beta.id, word: beta.word }, "2");
  const nowhere = { hostname: `nowhere-${beta.word}` };
  await soc.asAdmin("PUT", `/edr/endpoints/${randomUUID()}`, nowhere);
  ofAlpha = await soc.addLimited("tier3", [alpha]);
  everywhere = await soc.addLimited("tier3", undefined);
  keyOfAlpha = await soc.addLimitedKey(["edr:read", "edr:manage"], [alpha]);
});

afterAll(() => soc.close());

const idAt = (site: string) => ids.get(site) ?? "";

async function expectOnlyAlpha(ask: SendRequest): Promise<void> {
  const { beta } = soc;
  const paths = ["/edr/endpoints", "/edr/actions", "/edr/stats", "/edr/endpoints?q=host", "/edr/actions?in_force=true"];
  const own = [`/edr/endpoints/${idAt("alpha")}`, `/edr/endpoints/${idAt("alpha")}/actions`];
  const filters = [`/edr/endpoints?q=${beta.word}`];
  for (const path of [...paths, ...own, ...filters]) {
    const { status, body } = await ask("GET", path);
    expect([path, status]).toEqual([path, 200]);
    for (const secret of [beta.word, beta.id, idAt("beta")]) expect(body).not.toContain(secret);
  }
  for (const path of filters) expect((await ask("GET", path)).json()).toMatchObject({ items: [], total: 0 });
  expect((await ask("GET", "/edr/endpoints")).json()).toMatchObject({ total: 1, items: [{ id: idAt("alpha") }] });
  expect((await ask("GET", "/edr/actions")).json()).toMatchObject({ total: 1 });
  expect((await ask("GET", "/edr/stats")).json()).toMatchObject({
    total: 1,
    pending_actions: 0,
    by_site: { [soc.alpha.name]: 1 },
    by_os: { [`os-${soc.alpha.word}`]: 1 },
  });
  await expectUnknown(ask, "GET", (id) => `/edr/endpoints/${id}`, idAt("beta"));
  await expectUnknown(ask, "GET", (id) => `/edr/endpoints/${id}/actions`, idAt("beta"));
}

describe("EDR for callers of one site", () => {
  it("returns only endpoints and actions of the site, for users and API keys", async () => {
    await expectOnlyAlpha(ofAlpha);
    await expectOnlyAlpha(keyOfAlpha);
    await soc.withoutPolicies(TABLES, () => expectOnlyAlpha(ofAlpha));
    expect((await everywhere("GET", "/edr/endpoints")).json()).toMatchObject({ total: 4 });
  });

  async function expectRefused(): Promise<void> {
    for (const action of ["isolate", "unisolate", "scan"]) {
      await expectUnknown(ofAlpha, "POST", (id) => `/edr/endpoints/${id}/${action}`, idAt("beta"), {});
    }
    await expectUnknown(ofAlpha, "DELETE", (id) => `/edr/endpoints/${id}`, idAt("beta"));
    expect((await everywhere("GET", `/edr/endpoints/${idAt("beta")}/actions`)).json()).toMatchObject({ total: 1 });
    expect((await everywhere("GET", `/edr/endpoints/${idAt("beta")}`)).status).toBe(200);
  }

  it("refuses actions on endpoints of another site", async () => {
    await expectRefused();
    await soc.withoutPolicies(TABLES, expectRefused);
  });

  it("isolates and releases endpoints of its site", async () => {
    const isolated = await ofAlpha("POST", `/edr/endpoints/${idAt("alpha")}/isolate`, { reason: "beaconing" });
    expect([isolated.status, isolated.json()]).toMatchObject([200, { action: "isolate", status: "recorded" }]);
    const released = await ofAlpha("POST", `/edr/endpoints/${idAt("alpha")}/unisolate`, {});
    expect(released.json()).toMatchObject({ action: "unisolate", status: "recorded" });
    const { items } = (await ofAlpha("GET", `/edr/endpoints/${idAt("alpha")}/actions`)).json();
    expect(items).toMatchObject([{ action: "unisolate" }, { action: "isolate", ended_at: expect.any(String) }, {}]);
  });
});

describe("heartbeats of callers with some sites", () => {
  it("registers the endpoint at the caller's only site and ignores the named site", async () => {
    const id = randomUUID();
    const put = await keyOfAlpha("PUT", `/edr/endpoints/${id}`, { hostname: `new-${id}`, site: soc.beta.name });
    expect([put.status, put.json()]).toMatchObject([201, { id, site: soc.alpha.name }]);
    const again = await keyOfAlpha("PUT", `/edr/endpoints/${id}`, { os: "linux" });
    expect([again.status, again.json()]).toMatchObject([200, { id, site: soc.alpha.name, os: "linux" }]);
    expect((await ofAlpha("DELETE", `/edr/endpoints/${id}`)).status).toBe(200);
    expect((await keyOfAlpha("PUT", `/edr/endpoints/${id}`, { hostname: `new-${id}` })).status).toBe(201);
    expect((await ofAlpha("DELETE", `/edr/endpoints/${id}`)).status).toBe(200);
  });

  it("requires a site from a caller with several sites", async () => {
    const gamma = await soc.asAdmin("POST", "/sites", { name: "Gamma", profile: { asset_classes: ["it"] } });
    const both = await soc.addLimitedKey(["edr:manage"], [soc.alpha, { ...gamma, word: "" }]);
    const id = randomUUID();
    const said = { hostname: `both-${id}` };
    const refusal = { detail: "site: must be one of your sites" };
    for (const site of [undefined, soc.beta.name, "Nowhere"]) {
      const refused = await both("PUT", `/edr/endpoints/${id}`, { ...said, ...(site && { site }) });
      expect([refused.status, refused.json()]).toEqual([400, refusal]);
    }
    const put = await both("PUT", `/edr/endpoints/${id}`, { ...said, site: "Gamma" });
    expect([put.status, put.json()]).toMatchObject([201, { site: "Gamma" }]);
    expect((await both("PUT", `/edr/endpoints/${id}`, {})).json()).toMatchObject({ site: "Gamma" });
    expect((await ofAlpha("GET", `/edr/endpoints/${id}`)).status).toBe(404);
  });

  async function expectUntouched(): Promise<void> {
    const before = (await everywhere("GET", `/edr/endpoints/${idAt("beta")}`)).body;
    const said = { hostname: `host-${soc.alpha.word}-x`, isolation: "isolated" };
    const refused = await keyOfAlpha("PUT", `/edr/endpoints/${idAt("beta")}`, said);
    const detail = `endpoint '${idAt("beta")}' does not exist`;
    expect([refused.status, refused.json()]).toEqual([404, { detail }]);
    expect((await everywhere("GET", `/edr/endpoints/${idAt("beta")}`)).body).toBe(before);
  }

  it("does not change a registered or retired endpoint of another site", async () => {
    await expectUntouched();
    await soc.withoutPolicies(TABLES, expectUntouched);
    const retired = await addEndpoint(soc.beta, "3");
    await soc.asAdmin("DELETE", `/edr/endpoints/${retired}`);
    const put = () => keyOfAlpha("PUT", `/edr/endpoints/${retired}`, { hostname: "taken-over" });
    expect((await put()).status).toBe(404);
    await soc.withoutPolicies(TABLES, async () => expect((await put()).status).toBe(404));
    const [row] = await soc.query("SELECT site, hostname FROM edr_endpoints WHERE id = $1", [retired]);
    expect(row).toEqual({ site: soc.beta.name, hostname: `host3-${soc.beta.word}` });
  });

  it("does not reveal that another site uses the hostname", async () => {
    const hostname = `host-${soc.beta.word}`;
    const id = randomUUID();
    expect((await keyOfAlpha("PUT", `/edr/endpoints/${id}`, { hostname })).status).toBe(201);
    await soc.asAdmin("DELETE", `/edr/endpoints/${id}`);
    await soc.withoutPolicies(TABLES, async () => {
      expect((await keyOfAlpha("PUT", `/edr/endpoints/${id}`, { hostname })).status).toBe(201);
    });
    await soc.asAdmin("DELETE", `/edr/endpoints/${id}`);
  });
});

describe("EDR approvals by site under four eyes", () => {
  let guarded: TwoSites;
  let responder: SendRequest;
  let manager: SendRequest;
  let managerOfBeta: SendRequest;
  let own = "";
  let foreign = "";

  beforeAll(async () => {
    guarded = await startTwoSites({ response: { ...NO_RESPONSE_SETTINGS, fourEyes: true } });
    const { alpha, beta } = guarded;
    const add = async ({ name: site, word }: TestSite) => {
      const id = randomUUID();
      await guarded.asAdmin("PUT", `/edr/endpoints/${id}`, { hostname: `host-${word}`, site });
      return id;
    };
    [own, foreign] = [await add(alpha), await add(beta)];
    responder = await guarded.addLimited("responder", [alpha]);
    manager = await guarded.addLimited("manager", [alpha]);
    managerOfBeta = await guarded.addLimited("manager", [beta]);
  });

  afterAll(() => guarded.close());

  it("lets callers request, decide and use approvals of their site", async () => {
    const asked = await responder("POST", `/edr/endpoints/${own}/isolate`, { reason: "beaconing" });
    expect(asked.json()).toMatchObject({ status: "pending_approval" });
    const approval_id = String(asked.json().approval_id);
    expect((await manager("GET", "/approvals")).json()).toMatchObject({ total: 1, items: [{ id: approval_id }] });
    expect((await responder("GET", "/approvals/mine")).json()).toMatchObject({ total: 1 });
    expect((await managerOfBeta("GET", "/approvals")).json()).toMatchObject({ total: 0, items: [] });
    await expectUnknown(managerOfBeta, "GET", (id) => `/approvals/${id}`, approval_id);
    await expectUnknown(managerOfBeta, "POST", (id) => `/approvals/${id}/decide`, approval_id, {
      approved: true,
    });
    const decided = await manager("POST", `/approvals/${approval_id}/decide`, { approved: true });
    expect([decided.status, decided.json()]).toMatchObject([200, { status: "approved" }]);
    const used = await responder("POST", `/edr/endpoints/${own}/isolate?approval_id=${approval_id}`, {});
    expect(used.json()).toMatchObject({ action: "isolate", status: "recorded" });
    const again = await responder("POST", `/edr/endpoints/${own}/isolate?approval_id=${approval_id}`, {});
    expect(again.json()).toEqual(used.json());
  });

  it("hides approvals of other sites and approvals without a site", async () => {
    const reason = `why-${guarded.beta.word}`;
    const { approval_id } = await guarded.asAdmin("POST", `/edr/endpoints/${foreign}/isolate`, { reason });
    const closed = async () => {
      for (const path of ["/approvals", "/approvals?status=approved", "/approvals/mine"]) {
        expect((await manager("GET", path)).body).not.toContain(guarded.beta.word);
      }
      await expectUnknown(manager, "GET", (id) => `/approvals/${id}`, approval_id);
      await expectUnknown(manager, "POST", (id) => `/approvals/${id}/decide`, approval_id, { approved: true });
      await expectUnknown(responder, "POST", (id) => `/edr/endpoints/${id}/isolate`, foreign, {});
      await expectUnknown(
        responder,
        "POST",
        (id) => `/edr/endpoints/${id}/isolate?approval_id=${approval_id}`,
        foreign,
        {},
      );
    };
    await closed();
    await guarded.withoutPolicies(TABLES, closed);
    await guarded.query("UPDATE approvals SET site = NULL WHERE id = $1", [approval_id]);
    await closed();
    const found = await guarded.asAdmin("GET", `/approvals/${approval_id}`);
    expect(found).toMatchObject({ status: "pending", votes: [] });
  });
});
