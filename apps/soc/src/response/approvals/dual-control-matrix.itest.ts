import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Actor,
  DUAL_EFFECTS,
  DUAL_WAYS,
  type DualControlWorld,
  startDualControlWorld,
} from "../../../testing/matrices/dual-control.ts";

let world: DualControlWorld;

beforeAll(async () => {
  world = await startDualControlWorld();
}, 120_000);
afterAll(() => world.close());

const isFull = process.env.PROVE === "full";
const EFFECTS = Object.entries(DUAL_EFFECTS);

/** A normal build tries each way once and each effect several times; PROVE=full tries each pair. */
const CELLS = DUAL_WAYS.flatMap((way, row) =>
  EFFECTS.filter(([, { playbook }]) => !way.needsPlaybook || playbook)
    .filter((_, column, { length }) => isFull || column === row % length)
    .map(([effectName, effect]) => ({ effectName, wayName: way.name, effect, way })),
);

/** Ways that the effect does not offer: its route accepts no API key. */
const REFUSED_TO_KEYS = new Set(["a global exception", "a notification channel"]);

describe("with four eyes, one person starts and decides", () => {
  it.each(CELLS)(
    "nothing through $wayName: $effectName",
    async ({ effectName, wayName, effect, way }) => {
      const word = world.addName("dual");
      await effect.playbook?.(world, word);
      const { started, deciders } = await way.run(world, effect, word);
      const isByKey = wayName.includes("key") && !wayName.includes("alert");
      expect(started).toBe(!(isByKey && REFUSED_TO_KEYS.has(effectName)));
      if (!started) return;
      const ids = await world.findApprovals(word);
      for (const id of ids) {
        for (const decider of deciders) expect(await world.decide(decider, id)).toMatchObject({ status: 403 });
      }
      expect(await world.query("SELECT FROM approvals WHERE id = ANY($1) AND status <> 'pending'", [ids])).toEqual([]);
      expect(await effect.isDone(world, word)).toBe(false);
    },
    60_000,
  );

  it.each(EFFECTS)(
    "%s, and another person decides",
    async (_name, effect) => {
      const word = world.addName("dual");
      await effect.playbook?.(world, word);
      const person = await world.addPerson();
      expect(await effect.start(world, person, word)).toEqual({ started: true });
      const [id = ""] = await world.findApprovals(word);
      expect(await world.decide(await world.addPerson(), id)).toMatchObject({ status: 200 });
      if (effect.playbook) await person.ask("POST", `/soar/playbooks/${word}/execute?approval_id=${id}`, {});
      await expect.poll(() => effect.isDone(world, word), { timeout: 30_000, interval: 100 }).toBe(true);
    },
    60_000,
  );
});

describe("accounts that a person created", () => {
  async function request(by: Actor): Promise<string> {
    const word = world.addName("request");
    await DUAL_EFFECTS["a request of an agent"]?.start(world, by, word);
    const [id = ""] = await world.findApprovals(word);
    return id;
  }
  const vouch = (by: Actor, { name }: Actor) => by.ask("POST", `/users/${name}/vouch`, { reason: "met in person" });

  it("may approve each other's requests, so that a first set-up can work", async () => {
    const only = await world.addPerson();
    const [one, two] = [await world.createAccount(only, "manager"), await world.createAccount(only, "manager")];
    expect(await world.decide(two, await request(one))).toMatchObject({ status: 200 });
  });

  it("names the link, its end, and what to do", async () => {
    const person = await world.addPerson();
    const account = await world.createAccount(person, "manager");
    const { status, body } = await world.decide(account, await request(person));
    const end = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
    expect([status, body]).toEqual([
      403,
      {
        detail: `approved: '${person.name}' created, enabled or reset the account '${account.name}', so until ${end} both count as one person: another person decides, or an administrator without such a link to either vouches for '${account.name}' (POST /api/v1/users/${account.name}/vouch) (four eyes)`,
      },
    ]);
  });

  it("decide about the creator once another administrator vouches, and after 30 days", async () => {
    const person = await world.addPerson();
    const account = await world.createAccount(person, "manager");
    const id = await request(person);
    expect(await world.decide(account, id)).toMatchObject({ status: 403 });
    const other = await world.addPerson();
    expect(await vouch(other, account)).toEqual({
      status: 200,
      body: { username: account.name, vouched_by: other.name, ended_links: [person.name] },
    });
    expect(await world.decide(account, id)).toMatchObject({ status: 200 });
    // A later reset links them again.
    await person.ask("PATCH", `/users/${account.name}`, { password: "correct horse battery" });
    const again = await world.signIn(account.name);
    const later = await request(person);
    expect(await world.decide(again, later)).toMatchObject({ status: 403 });
    await world.query("ALTER TABLE audit_log DISABLE TRIGGER ALL");
    await world.query("UPDATE audit_log SET at = at - interval '30 days 1 minute' WHERE subject_id = $1", [
      account.name,
    ]);
    await world.query("ALTER TABLE audit_log ENABLE TRIGGER ALL");
    expect(await world.decide(again, later)).toMatchObject({ status: 200 });
  });

  it("get no voucher from themselves, their creator, or another account of the creator", async () => {
    const person = await world.addPerson();
    const account = await world.createAccount(person);
    const sibling = await world.createAccount(person);
    for (const by of [account, person, sibling]) expect(await vouch(by, account)).toMatchObject({ status: 403 });
    expect(await vouch(await world.addPerson(), await world.addPerson())).toMatchObject({ status: 409 });
    expect(await vouch(await world.addPerson("manager"), account)).toMatchObject({ status: 403 });
  });

  it("do not count for the author of a playbook who started nothing", async () => {
    const author = await world.addPerson();
    const account = await world.createAccount(author);
    const word = world.addName("dual");
    const endpoint = { id: "effect", action: "edr.isolate", params: { endpoint: word } };
    await author.ask("PUT", `/soar/playbooks/${word}`, { name: word, steps: [endpoint] });
    await (await world.addPerson()).ask("PUT", `/edr/endpoints/${crypto.randomUUID()}`, { hostname: word });
    const asked = await (await world.addPerson()).ask("POST", `/soar/playbooks/${word}/execute`, {});
    const id = String(asked.body.approval_id);
    expect(await world.decide(author, id)).toMatchObject({ status: 403 });
    expect(await world.decide(account, id)).toMatchObject({ status: 200 });
  });

  it("count for a manager of one site, who decides about the request of an own key there", async () => {
    const site = world.addName("Site");
    expect((await world.root.ask("POST", "/sites", { name: site, type: "branch" })).status).toBeLessThan(300);
    const manager = await world.addPerson("manager");
    const key = await world.createKey(world.root, manager);
    const id = await request(key);
    await world.query("UPDATE approvals SET site = $1 WHERE id = $2", [site, id]);
    await world.query(
      "UPDATE users SET sites = (SELECT jsonb_build_array(jsonb_build_object('id', id, 'name', name)) FROM sites WHERE name = $1) WHERE username = $2",
      [site, manager.name],
    );
    expect(await world.decide(await world.signIn(manager.name), id)).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/^approved: you own or created the API key of a requester/) },
    });
  });
});
