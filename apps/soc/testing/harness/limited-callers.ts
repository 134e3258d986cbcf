import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Answer, type CallersPlatform, startCallersPlatform } from "./callers-platform.ts";
import { ADMIN_PASSWORD as password } from "./whole-platform.ts";

/** A site whose records contain its secret word in every text, and nothing of the other site. */
export interface TestSite {
  id: string;
  name: string;
  /** A word in every text of the site's records. */
  word: string;
}

export type SendRequest = (
  method: string,
  path: string,
  body?: object,
) => Promise<Answer & { json: () => Record<string, unknown> }>;

/**
 * The whole service with two sites and callers of each, to verify that a caller of one learns nothing of the other.
 */
export async function startTwoSites(changed: Parameters<typeof startCallersPlatform>[0] = {}) {
  const platform = await startCallersPlatform(changed);
  const alpha = await addSite(platform, "Alpha");
  const beta = await addSite(platform, "Beta");

  function asking(headers: Record<string, string>): SendRequest {
    return async (method, path, body) => {
      const answer = await platform.ask(method, `/api/v1${path}`, headers, body);
      return { ...answer, json: () => JSON.parse(answer.body) };
    };
  }

  return {
    ...platform,
    alpha,
    beta,

    /** Adds a user with these sites, or with all if they are undefined. */
    async addLimited(role: string, sites: readonly TestSite[] | undefined): Promise<SendRequest> {
      const username = `${role}-${randomUUID()}`;
      const names = sites && { sites: sites.map(({ name }) => name) };
      await platform.asAdmin("POST", "/users", { username, password, role, ...names });
      const { token } = await platform.signIn(username);
      return asking({ authorization: `Bearer ${token}` });
    },

    async addLimitedKey(scopes: readonly string[], sites: readonly TestSite[]): Promise<SendRequest> {
      const names = sites.map(({ id }) => id);
      const { key } = await platform.asAdmin("POST", "/api-keys", { name: randomUUID(), scopes, sites: names });
      return asking({ "x-api-key": key });
    },

    /** Runs work while PostgreSQL hides nothing: the queries of the services must be sufficient. */
    async withoutPolicies(tables: readonly string[], work: () => Promise<void>): Promise<void> {
      await platform.query("ALTER SCHEMA soc_site RENAME TO unused");
      for (const table of tables) {
        await platform.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
      }
      try {
        await work();
      } finally {
        for (const table of tables) await platform.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
        await platform.query("ALTER SCHEMA unused RENAME TO soc_site");
      }
    },
  };
}
export type TwoSites = Awaited<ReturnType<typeof startTwoSites>>;

async function addSite({ asAdmin }: CallersPlatform, name: string): Promise<TestSite> {
  const word = `canary${randomUUID().replaceAll("-", "")}`;
  const { id } = await asAdmin("POST", "/sites", { name: `${name} ${word}`, profile: { asset_classes: ["it"] } });
  return { id, name: `${name} ${word}`, word };
}

/** The id of a foreign record is answered like an unknown id, and the response contains nothing of the other site. */
export async function expectUnknown(
  ask: SendRequest,
  method: string,
  path: (id: string) => string,
  id: string,
  body?: object,
) {
  const unknown = randomUUID();
  const [real, none] = [await ask(method, path(id), body), await ask(method, path(unknown), body)];
  expect([real.status, real.body.replaceAll(id, "ID")]).toEqual([none.status, none.body.replaceAll(unknown, "ID")]);
  expect(real.status).toBe(404);
}
