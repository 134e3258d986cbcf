import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

let platform: ContractPlatform;
let items: { id: string; name: string; type: string; status: string }[];

beforeAll(async () => {
  platform = await contractPlatform();
  ({ items } = await platform.send("GET /agents?limit=200"));
});
afterAll(() => platform.close());

const find = async (id: string) =>
  (await platform.send("GET /agents?limit=200")).items.find((agent: { id: string }) => agent.id === id);
const addSite = (name: string, ...asset_classes: string[]) =>
  platform.send("POST /sites", { name, profile: { asset_classes } });

describe("the agents", () => {
  it(quote("16 managed agents"), () => {
    expect(items).toHaveLength(16);
    expect(new Set(items.map(({ id }) => id)).size).toBe(16);
  });

  quote(
    "- Agent ids: the tool catalog accepts dashboard-style ids agent-001 to agent-014 as well as PascalCase agent names.",
  );
  const DASHBOARD_IDS = Array.from({ length: 14 }, (_, at) => `agent-${String(at + 1).padStart(3, "0")}`);

  it.each(DASHBOARD_IDS)("the tool catalog accepts %s and the PascalCase name of that agent", async (id) => {
    const name = items.find((agent) => agent.id === id)?.name ?? "";
    expect(name).toMatch(/^([A-Z][a-z]+)+$/);
    const byId = await platform.ask(`GET /tools?agent_id=${id}`);
    const byName = await platform.ask(`GET /tools?agent_id=${name}`);
    expect([byId.status, byName.status]).toEqual([200, 200]);
    expect(byName.body.items).toEqual(byId.body.items);
  });

  it("the tool catalog accepts no other name", async () => {
    const { status } = await platform.ask("GET /tools?agent_id=NoSuchAgent");
    expect([400, 404]).toContain(status);
  });
});

describe("the filters of agents", () => {
  quote("- Agent filters: site (string), status (active, disabled, error), type (agent type enum).");

  it.each(["active", "disabled", "error"])("status=%s finds the agents with this status", async (status) => {
    await platform.send("POST /agents/agent-002/disable");
    const found = (await platform.send(`GET /agents?status=${status}&limit=200`)).items;
    const all = (await platform.send("GET /agents?limit=200")).items;
    expect(found).toEqual(all.filter((agent: { status: string }) => agent.status === status));
    await platform.send("POST /agents/agent-002/enable");
  });

  it.each(["id", "name"] as const)("site finds the agents that are deployed to the site with this %s", async (key) => {
    const site = await addSite(`Filtered by ${key}`, "it");
    await platform.send("POST /agents/agent-003/deploy", { site_id: site.id });
    const found = (await platform.send(`GET /agents?site=${encodeURIComponent(site[key])}&limit=200`)).items;
    expect(found.map(({ id }: { id: string }) => id)).toEqual(["agent-003"]);
  });

  it.each(["status=sleeping", "type=NoSuchType", "site=Mars"])("refuses %s", async (query) => {
    expect((await platform.ask(`GET /agents?${query}`)).status).toBe(400);
  });

  it("type finds the agents of this type", async () => {
    for (const { id, type } of items) {
      const found = (await platform.send(`GET /agents?type=${type}`)).items;
      expect(found.map((agent: { id: string }) => agent.id)).toContain(id);
      expect(new Set(found.map((agent: { type: string }) => agent.type))).toEqual(new Set([type]));
    }
  });
});

describe("an agent", () => {
  it("disables and enables an agent", async () => {
    expect(await platform.send("POST /agents/agent-003/disable")).toMatchObject({ status: "disabled" });
    expect(await find("agent-003")).toMatchObject({ status: "disabled" });
    expect(await platform.send("POST /agents/agent-003/enable")).toMatchObject({ status: "active" });
    expect(await find("agent-003")).toMatchObject({ status: "active" });
  });

  describe(quote("Scale accepts 0 to 10 instances."), () => {
    it.each([0, 1, 9, 10])("accepts %i instances of an agent", async (instances) => {
      expect(await platform.send("PATCH /agents/agent-004/scale", { instances })).toMatchObject({ instances });
      expect(await find("agent-004")).toMatchObject({ instances });
    });
  });

  describe(quote("| Agent scale | 0 to 10 instances |"), () => {
    it.each([-1, 11, 1.5, "two"])("refuses %j", async (instances) => {
      expect((await platform.ask("PATCH /agents/agent-004/scale", { instances })).status).toBe(400);
    });
  });

  it("deploys an agent to a site that supports it, and refuses other sites", async () => {
    const it1 = await addSite("Lagos", "it");
    const ot = await addSite("Plant", "ot");
    const cloud = items.find(({ name }) => name === "CloudAgent")?.id;
    expect((await platform.ask("POST /agents/agent-001/deploy", { site_id: it1.id })).status).toBe(200);
    expect((await platform.ask(`POST /agents/${cloud}/deploy`, { site_id: ot.id })).status).toBe(409);
  });

  it.each(["enable", "disable"])("%s answers 404 for an unknown agent", async (action) => {
    expect((await platform.ask(`POST /agents/${NOTHING}/${action}`)).status).toBe(404);
  });
});

describe("sites", () => {
  quote("- Sites carry a persisted profile document with declared asset classes.");

  it("stores the profile document of a site with the declared asset classes", async () => {
    const profile = { asset_classes: ["it", "ot"], floors: 3, contact: { name: "Ann" } };
    const created = await platform.send("POST /sites", { name: "Head office", profile });
    expect(created).toMatchObject({ profile });
    const { items: sites } = await platform.send("GET /sites?limit=200");
    expect(sites).toContainEqual(expect.objectContaining({ id: created.id, profile }));
  });

  it("accepts asset classes that the customer defines", async () => {
    const profile = { asset_classes: ["scada"] };
    expect(await platform.send("POST /sites", { name: "Refinery", profile })).toMatchObject({ profile });
  });

  it("removes a site", async () => {
    const { id } = await addSite("Short-lived", "it");
    await platform.send(`DELETE /sites/${id}`);
    expect((await platform.ask(`DELETE /sites/${id}`)).status).toBe(404);
    const { items: sites } = await platform.send("GET /sites?limit=200");
    expect(sites.map((site: { id: string }) => site.id)).not.toContain(id);
  });
});

describe("an investigation", () => {
  quote("- Investigation request: alert_context (string), has_cps_assets (boolean), severity (string).");

  it("accepts the three fields of an investigation", async () => {
    const body = { alert_context: "A host calls home", has_cps_assets: true, severity: "high" };
    const answer = await platform.ask("POST /agents/investigate", body);
    expect(answer.status).toBeLessThan(300);
    expect(answer.body).toMatchObject({ has_cps_assets: true, severity: "high" });
  }, 30_000);

  it.each([
    ["alert_context", 1],
    ["has_cps_assets", "yes"],
    ["severity", 1],
  ])("refuses %s = %j", async (field, value) => {
    const body = { alert_context: "A host calls home", [field]: value };
    expect((await platform.ask("POST /agents/investigate", body)).status).toBe(400);
  });
});

describe("GET /system/topology", () => {
  quote("GET /system/topology returns deployment_mode, hostname, platform, runtime mode and the site list.");

  it.each(["deployment_mode", "hostname", "platform"])("returns %s as a string", async (field) => {
    expect((await platform.send("GET /system/topology"))[field]).toEqual(expect.stringMatching(/./));
  });

  it("returns the runtime mode", async () => {
    expect(Object.values(await platform.send("GET /system/topology"))).toContain("real");
  });

  it("returns the site list", async () => {
    const site = await addSite("Topology", "it");
    const { sites } = await platform.send("GET /system/topology");
    expect(sites).toContainEqual(expect.objectContaining({ id: site.id, name: "Topology" }));
  });
});
