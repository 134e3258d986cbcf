import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startWorkOfSites, type WorkOfSites } from "../../../testing/matrices/sites-work.ts";

const isFull = process.env.PROVE === "full";
let world: WorkOfSites;
let before: string;

beforeAll(async () => {
  world = await startWorkOfSites();
  before = await world.readBeta();
}, 180_000);

afterAll(() => world.close());

const callers = isFull ? ["a user", "an API key"] : ["an API key"];

it.each(callers)("keeps the work that an alert of %s starts within its site", { timeout: 120_000 }, async (name) => {
  const gathered = await world.gather(world.callers[name] ?? {});
  for (const [place, found] of Object.entries(gathered)) {
    const known = JSON.stringify(found);
    expect([place, world.findForeign(found)]).toEqual([place, []]);
    expect([place, known.length > 20]).toEqual([place, true]);
  }
  expect(gathered.case).toMatchObject({ case: { title: "Seen 1 1 1 1" } });
  expect(gathered.messages).toHaveLength(1);
  expect(await world.readBeta()).toBe(before);
});

it.each(callers)("isolates only the endpoint of the site for an alert of %s", { timeout: 120_000 }, async (name) => {
  const { approval, execution } = await world.contain(world.callers[name] ?? {});
  expect(approval.effect).toMatchObject([{ target: { id: world.alpha.endpoint, site: "Alpha" } }]);
  expect(world.findForeign([approval, execution])).toEqual([]);
  expect(await world.readIsolation(world.alpha.endpoint)).toBe("isolated");
  expect(await world.readIsolation(world.beta.endpoint)).toBe("normal");
  expect(await world.readBeta()).toBe(before);
});

it("answers tools, MCP and the assistant from the records of the site", { timeout: 120_000 }, async () => {
  for (const [name, headers] of Object.entries(world.callers)) {
    const answers = { tools: await world.callTools(headers), mcp: await world.callMcp(headers) };
    for (const [place, answer] of Object.entries(answers)) {
      expect([name, place, world.findForeign(answer)]).toEqual([name, place, []]);
      expect([name, place, JSON.stringify(answer).includes(world.alpha.canary)]).toEqual([name, place, true]);
    }
  }
  const chat = await world.chat(world.user);
  expect(world.findForeign(chat)).toEqual([]);
  expect(JSON.stringify(chat)).toContain(world.alpha.canary);
});
