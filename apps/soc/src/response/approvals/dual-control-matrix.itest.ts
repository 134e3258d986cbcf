import { createHash } from "node:crypto";
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

describe("with four eyes, a stored change", () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const startOf = (effect: string, by: Actor, word: string) => DUAL_EFFECTS[effect]?.start(world, by, word);

  it("says in each answer that it waits, and no longer after the decision", async () => {
    const person = await world.addPerson();
    const word = world.addName("held");
    const body = { scope: "all", query: `host:${word}`, reason: word, expires_at: inAnHour() };
    const created = await person.ask("POST", "/detections/exceptions", body);
    const path = `/detections/exceptions/${String(created.body.id)}`;
    const waiting = { approval_id: created.body.approval_id, held_until: body.expires_at };
    expect(created).toMatchObject({ status: 201, body: { ...waiting, expires_at: created.body.created_at } });
    expect((await person.ask("GET", path)).body).toMatchObject(waiting);
    expect(await person.ask("PATCH", path, { reason: "other" })).toMatchObject({ status: 409 });
    expect((await person.ask("GET", `/approvals/${String(created.body.approval_id)}`)).body).toMatchObject({
      kind: "action",
      action: "Hide logs from all rules",
      effect: [{ summary: `Hides logs that match host:${word} from all rules until ${body.expires_at}` }],
    });
    await world.decide(await world.addPerson(), String(created.body.approval_id));
    const approved = (await person.ask("GET", path)).body;
    expect(approved).toMatchObject({ expires_at: body.expires_at });
    expect(approved).not.toHaveProperty("approval_id");
  });

  it("needs no approval for an exception of one rule, firmware that is not good, or a disabled channel", async () => {
    const person = await world.addPerson();
    const hash = createHash("sha256").update(world.addName("firmware")).digest("hex");
    const firmware = { vendor: "a", product: "b", version: "1", known_good: false };
    const settings = { to: ["soc@example.org"] };
    const answers = [
      await person.ask("PUT", `/firmware/${hash}`, firmware),
      await person.ask("POST", "/notifications/channels", {
        ...{ name: world.addName("off"), kind: "email", settings },
        enabled: false,
      }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBeLessThan(300);
      expect(body).not.toHaveProperty("approval_id");
    }
  });

  it("stays without effect after a rejection and after the approval has expired", async () => {
    for (const effect of ["a global exception", "known good firmware", "a notification channel"]) {
      const [rejected, expired] = [world.addName("held"), world.addName("held")];
      for (const word of [rejected, expired]) await startOf(effect, await world.addPerson(), word);
      const [[first = ""], [second = ""]] = [await world.findApprovals(rejected), await world.findApprovals(expired)];
      const other = await world.addPerson();
      expect(await other.ask("POST", `/approvals/${first}/decide`, { approved: false })).toMatchObject({ status: 200 });
      await world.query(
        "UPDATE approvals SET requested_at = now() - interval '5 hours', expires_at = now() - interval '1 hour' WHERE id = $1",
        [second],
      );
      const waiting = `SELECT FROM detection_exceptions WHERE approval_id = ANY($1) UNION ALL
        SELECT FROM firmware WHERE approval_id = ANY($1) UNION ALL
        SELECT FROM notification_channels WHERE approval_id = ANY($1)`;
      const count = async () => (await world.query(waiting, [[first, second]])).length;
      await expect.poll(count, { timeout: 60_000, interval: 250 }).toBe(0);
      for (const word of [rejected, expired]) expect(await DUAL_EFFECTS[effect]?.isDone(world, word)).toBe(false);
    }
  }, 120_000);

  it("of a channel is for one content: a redirected channel waits again, and the former approval is refused", async () => {
    const person = await world.addPerson();
    const name = world.addName("channel");
    await startOf("a notification channel", person, name);
    const [first = ""] = await world.findApprovals(name);
    const [{ id }] = (await world.query("SELECT id FROM notification_channels WHERE name = $1", [name])) as [
      { id: string },
    ];
    const redirect = (to: string) => person.ask("PATCH", `/notifications/channels/${id}`, { settings: { to: [to] } });
    const changed = await redirect("other@example.org");
    expect(changed).toMatchObject({ status: 200, body: { enabled: false, approval_id: expect.any(String) } });
    expect(await person.ask("PATCH", `/notifications/channels/${id}`, { enabled: true })).toMatchObject({
      body: { enabled: false },
    });
    const [{ approval_id }] = (await world.query("SELECT approval_id FROM notification_channels WHERE id = $1", [
      id,
    ])) as [{ approval_id: string }];
    const other = await world.addPerson();
    expect(await world.decide(other, first)).toMatchObject({ status: 409 });
    expect(await person.ask("POST", `/notifications/channels/${id}/test`)).toMatchObject({ status: 409 });
    expect(await world.decide(other, approval_id)).toMatchObject({ status: 200 });
    expect((await person.ask("GET", `/notifications/channels/${id}`)).body).toMatchObject({ enabled: true });
    expect(await redirect("third@example.org")).toMatchObject({ body: { enabled: false } });
  });
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
