import { expect, it } from "vitest";
import { buildShowcase } from "../../demo/showcase.ts";
import { countByStatus, toAgents } from "./agent.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const { agents, sites, cases } = buildShowcase(NOW);

it("contains all agents in every status, one of them parked", () => {
  expect(toAgents(agents)).toHaveLength(16);
  expect(countByStatus(agents)).toEqual({ active: 14, disabled: 1, error: 1 });
  expect(agents.filter(({ instances }) => instances === 0)).toHaveLength(1);
});

it("deploys agents only to sites with one of their asset classes", () => {
  for (const agent of toAgents(agents)) {
    expect(agent.sites.length).toBeGreaterThan(0);
    for (const site_id of agent.sites) {
      const declared = sites.find(({ id }) => id === site_id)?.profile.asset_classes ?? [];
      expect(agent.asset_classes.some((each) => declared.includes(each))).toBe(true);
    }
  }
});

it("has no agent whose last activity is before its last entry in a case", () => {
  const entries = cases.flatMap(({ timeline }) => timeline).filter(({ agent }) => agent.endsWith("Agent"));
  expect(entries.length).toBeGreaterThan(5);
  for (const { agent: name, timestamp } of entries) {
    const agent = toAgents(agents).find((each) => each.name === name);
    expect(agent?.last_active?.getTime()).toBeGreaterThanOrEqual(timestamp.getTime());
  }
});

it("has an error for every agent in status error and for no active one", () => {
  for (const { status, error } of agents) expect(error !== null).toBe(status === "error");
});
