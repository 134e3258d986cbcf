import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallersPlatform, startCallersPlatform } from "../../../testing/harness/callers-platform.ts";
import { ADMIN_PASSWORD as password } from "../../../testing/harness/whole-platform.ts";

type Headers = Record<string, string>;

let platform: CallersPlatform;
let base: string;
const ids = new Map<string, string>();
const keys = new Map<string, string>();
let made = 0;

beforeAll(async () => {
  platform = await startCallersPlatform();
  base = `http://127.0.0.1:${(platform.app.server.address() as AddressInfo).port}`;
  for (const name of ["Alpha", "Beta", "Gamma"]) {
    const { id } = await platform.asAdmin("POST", "/sites", { name, profile: { asset_classes: ["it"] } });
    ids.set(name, id);
  }
  await addKey("alpha", ["Alpha"]);
  await addKey("both", ["Alpha", "Gamma"]);
});

afterAll(() => platform.close());

async function addKey(name: string, sites: string[] | undefined): Promise<string> {
  const given = { name, scopes: ["siem:ingest"], ...(sites && { sites }) };
  const { id, key } = await platform.asAdmin("POST", "/api-keys", given);
  keys.set(name, key);
  return id;
}

const byKey = (name: string): Headers => ({ "x-api-key": keys.get(name) ?? "" });

async function send(path: string, headers: Headers, body: string, type = "application/json") {
  const answer = await fetch(`${base}${path}`, { method: "POST", headers: { ...headers, "content-type": type }, body });
  return { status: answer.status, body: await answer.json().catch(() => undefined) };
}

/** Lists the sites of the logs that contain this word. */
async function listSites(word: string): Promise<(string | null)[]> {
  const { items } = await platform.asAdmin("GET", `/siem/logs?limit=100&query=${word}`);
  return items.map(({ site }: { site: string | null }) => site).toSorted();
}

const newWord = () => {
  made += 1;
  return `word${made}q`;
};
const text = (stringValue: string) => ({ stringValue });

/** One body per format, with one event that names a site wherever the format allows. */
const FORMATS: Readonly<Record<string, { path: string; body: (word: string, site: string) => string }>> = {
  "a JSON event": {
    path: "/api/v1/siem/ingest",
    body: (message, site) => JSON.stringify({ message, site, Site: site, "site.name": site, "event.site": site }),
  },
  "an event of HEC": {
    path: "/services/collector/event",
    body: (message, site) => JSON.stringify({ event: { message, site }, site, fields: { site }, index: site }),
  },
  "the fields of HEC": {
    path: "/services/collector",
    body: (message, site) => JSON.stringify({ event: message, site, fields: { site } }),
  },
  "a raw line of HEC": {
    path: "/services/collector/raw",
    body: (message, site) => JSON.stringify({ message, site }),
  },
  "a document of _bulk": {
    path: "/_bulk",
    body: (message, site) => `${JSON.stringify({ index: { _index: site } })}\n${JSON.stringify({ message, site })}\n`,
  },
  "a record of OTLP": {
    path: "/v1/logs",
    body: (message, site) => {
      const attributes = [{ key: "site", value: text(site) }];
      const body = {
        kvlistValue: { values: [{ key: "message", value: text(message) }, ...attributes] },
      };
      const scopeLogs = [{ scope: { name: "s", attributes }, logRecords: [{ body, attributes }] }];
      return JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs }] });
    },
  },
};

describe.each(Object.entries(FORMATS))("%s", (_, { path, body }) => {
  const query = `?site=Beta`;
  const forged: Headers = { "x-site": "Beta", site: "Beta" };

  it("stores an event sent with a key of one site for this site, whatever the event says", async () => {
    const word = newWord();
    for (const site of ["Beta", ids.get("Beta") ?? "", "", "Alpha"]) {
      const { status } = await send(`${path}${query}`, { ...byKey("alpha"), ...forged }, body(word, site));
      expect(status).toBeLessThan(300);
    }
    expect(await listSites(word)).toEqual(["Alpha", "Alpha", "Alpha", "Alpha"]);
  });

  it("stores an event sent with a key of several sites for the one that it names by name or id", async () => {
    const word = newWord();
    for (const site of ["Gamma", ids.get("Gamma") ?? "", "Alpha"]) {
      expect((await send(path, { ...byKey("both"), ...forged }, body(word, site))).status).toBeLessThan(300);
    }
    expect(await listSites(word)).toEqual(["Alpha", "Gamma", "Gamma"]);
  });

  it("refuses an event with a foreign site, or without a site", async () => {
    const word = newWord();
    for (const [site, asked] of [
      ["Beta", ""],
      [ids.get("Beta") ?? "", "?site=Gamma"],
      ["gamma", ""],
      ["", ""],
      ["", query],
    ] as const) {
      const answer = await send(`${path}${asked}`, { ...byKey("both"), ...forged }, body(word, site));
      const why = "site: must be one of the sites of the sender: Alpha, Gamma";
      if (path === "/api/v1/siem/ingest") {
        expect(answer).toMatchObject({ status: 202, body: { accepted: 0, rejected: 1 } });
        const letter = await platform.asAdmin("GET", `/siem/dead-letters/${answer.body.dead_letter_ids[0]}`);
        expect(letter).toMatchObject({ reason: why, sender: "key:both" });
        expect(letter).not.toHaveProperty("sites");
      } else expect(JSON.stringify(answer.body)).toContain(why);
    }
    expect(await listSites(word)).toEqual([]);
  });
});

it("uses the site of the query for events of several sites that name none", async () => {
  const word = newWord();
  await send("/api/v1/siem/ingest?site=Gamma", byKey("both"), JSON.stringify({ message: word }));
  expect(await listSites(word)).toEqual(["Gamma"]);
});

it("does not change the events of senders with access to all sites", async () => {
  await addKey("whole", undefined);
  const word = newWord();
  for (const asked of ["", "?site=Beta"]) {
    await send(`/api/v1/siem/ingest${asked}`, byKey("whole"), JSON.stringify({ message: word }));
    await send(`/api/v1/siem/ingest${asked}`, byKey("whole"), JSON.stringify({ message: word, site: "Elsewhere" }));
  }
  expect(await listSites(word)).toEqual(["Beta", "Elsewhere", "Elsewhere", null]);
});

it("also forces the site of a person, and refuses a person without sites", async () => {
  await platform.asAdmin("POST", "/users", { username: "alpha-admin", password, role: "admin", sites: ["Alpha"] });
  const { id } = await platform.asAdmin("POST", "/sites", { name: "Closed", profile: { asset_classes: ["it"] } });
  await platform.asAdmin("POST", "/users", { username: "left", password, role: "admin", sites: [id] });
  await platform.asAdmin("DELETE", `/sites/${id}`);
  const word = newWord();
  const sendAs = async (username: string) => {
    const { token } = await platform.signIn(username);
    const event = { message: word, site: "Beta" };
    return send("/api/v1/siem/ingest", { authorization: `Bearer ${token}` }, JSON.stringify(event));
  };
  expect((await sendAs("alpha-admin")).body).toMatchObject({ accepted: 1, rejected: 0 });
  expect((await sendAs("left")).body).toMatchObject({ accepted: 0, rejected: 1 });
  expect(await listSites(word)).toEqual(["Alpha"]);
});

it("stores events of restricted and unrestricted callers in one group, with their names", async () => {
  const word = newWord();
  const event = (n: number) => JSON.stringify({ id: `e-${n}`, message: word, site: "Beta" });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      send("/api/v1/siem/ingest", { ...byKey(n % 2 ? "whole" : "alpha"), "x-batch-id": `batch ${n}` }, event(n)),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  const sites = await listSites(word);
  expect([sites.filter((site) => site === "Alpha").length, sites.filter((site) => site === "Beta").length]).toEqual([
    10, 10,
  ]);
});

it("separates the batch and event names of different senders, and of a sender before and after a change of sites", async () => {
  const word = newWord();
  const event = (n: number) => JSON.stringify({ id: "same", message: `${word} ${n}` });
  const sendBatch = async (headers: Headers, n: number) =>
    (await send("/api/v1/siem/ingest", { ...headers, "x-batch-id": "same" }, event(n))).status;
  const signIn = async () => ({ authorization: `Bearer ${(await platform.signIn("moved")).token}` });
  await platform.asAdmin("POST", "/users", { username: "moved", password, role: "admin", sites: ["Alpha"] });
  const before = await signIn();
  // The sender's own repeat is one batch, and different content under the same name is refused.
  expect([await sendBatch(before, 1), await sendBatch(before, 1), await sendBatch(before, 2)]).toEqual([202, 202, 409]);
  expect(await sendBatch(byKey("alpha"), 2)).toBe(202);
  await platform.asAdmin("PATCH", "/users/moved", { sites: ["Beta"] });
  const after = await signIn();
  expect([await sendBatch(after, 1), await sendBatch(after, 3)]).toEqual([202, 409]);
  expect(await listSites(word)).toEqual(["Alpha", "Alpha", "Beta"]);
});

it("replays a dead letter for a site of its sender only", async () => {
  const word = newWord();
  const refused = await send("/api/v1/siem/ingest?site=Beta", byKey("alpha"), "{ not json");
  const [letter_id] = refused.body.dead_letter_ids;
  expect(await platform.asAdmin("GET", `/siem/dead-letters/${letter_id}`)).toMatchObject({ site: "Alpha" });
  const raw = JSON.stringify({ message: word, site: "Beta" });
  await platform.asAdmin("POST", `/siem/dead-letters/${letter_id}/replay`, { raw });
  expect(await listSites(word)).toEqual(["Alpha"]);
  const several = await send("/api/v1/siem/ingest", byKey("both"), raw);
  const [other_id] = several.body.dead_letter_ids;
  const again = await platform.asAdmin("POST", `/siem/dead-letters/${other_id}/replay`);
  expect(again).toMatchObject({ accepted: 0, rejected: 1 });
  expect(await listSites(word)).toEqual(["Alpha"]);
});
