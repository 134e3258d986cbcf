import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "../servers/fresh-database.ts";
import { wholePlatform } from "./whole-platform.ts";

export const CLIENT = { client_id: "soc", client_secret: "a secret of the client, only for tests" } as const;
const RIGHTS = [
  { group: "soc-admins", role: "admin" },
  { group: "soc-analysts", role: "tier2" },
  { group: "hall-guards", role: "tier1", sites: ["Hall", "Not built yet"] },
] as const;

interface ConfiguredProvider {
  id: string;
  issuer: string;
  /** The token with which it manages its users. */
  scimToken?: string;
  second_factor?: "here";
}

export interface SignInWorldOptions {
  providers: readonly ConfiguredProvider[];
  port: number;
  isLocalOff?: boolean;
  breakGlassUser?: string;
  mode?: "real" | "dry_run" | "dummy";
}

/**
 * Returns a port that was free a moment ago, because a provider must know the address of the platform before it starts.
 */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The whole service with OpenID providers, over the network. */
export async function startSignInWorld(options: SignInWorldOptions) {
  const { providers, port, isLocalOff = false, breakGlassUser = "admin", mode = "real" } = options;
  const folder = await mkdtemp(join(tmpdir(), "soc-sign-in-"));
  await writeFile(join(folder, "secret"), CLIENT.client_secret, { mode: 0o600 });
  for (const { id, scimToken = "" } of providers)
    await writeFile(join(folder, `${id}.scim`), scimToken, { mode: 0o600 });
  const listed = providers.map(({ id, issuer, scimToken, ...others }) => ({
    ...{ id, label: `Company ${id}`, issuer, client_id: CLIENT.client_id, client_secret_file: "secret" },
    ...(scimToken !== undefined && { scim_token_file: `${id}.scim` }),
    ...others,
    rights: RIGHTS,
  }));
  const providersFile = join(folder, "providers.json");
  await writeFile(providersFile, JSON.stringify(listed));
  const { url } = await freshDatabase();
  const publicUrl = `http://127.0.0.1:${port}`;
  const signIn = { providersFile, isLocalOff, breakGlassUser, publicUrl };
  const platform = await wholePlatform(mode, url, folder, undefined, { signIn, publicUrl });
  await platform.app.listen({ host: "127.0.0.1", port });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${publicUrl}/api/v1${path}`, { redirect: "manual", ...init });

  return {
    url,
    publicUrl,
    ask,
    /** Starts a sign-in in a browser: returns the redirect target and the cookie. */
    async begin(provider: string, next?: string) {
      const answer = await ask(
        `/auth/oidc/${provider}/start${next === undefined ? "" : `?next=${encodeURIComponent(next)}`}`,
      );
      const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
      const location = answer.headers.get("location") ?? "";
      return { status: answer.status, location, cookie };
    },
    /** Returns with the browser from the provider. Returns the cookie of the session, if one opens. */
    async comeBack(answered: URL, cookie: string) {
      const answer = await fetch(answered, { headers: { cookie }, redirect: "manual" });
      const set = answer.headers.getSetCookie().map((each) => each.split(";")[0] ?? "");
      const session = set.find((each) => /^__Host-soc_session=./.test(each));
      return { status: answer.status, body: await answer.text(), session };
    },
    async close() {
      await platform.close();
      await rm(folder, { recursive: true });
    },
  };
}
export type SignInWorld = Awaited<ReturnType<typeof startSignInWorld>>;
