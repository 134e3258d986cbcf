import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import pg from "pg";
import { findFreePort, type SignInWorldOptions, startSignInWorld } from "./sign-in-world.ts";
import { ADMIN_PASSWORD } from "./whole-platform.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const TOKENS = { main: "main".repeat(10), other: "other".repeat(10) } as const;

/** The whole service with two providers that manage their users, and one that does not. */
export async function startScimWorld(
  options: Partial<Pick<SignInWorldOptions, "mode" | "isLocalOff" | "providers">> = {},
) {
  const port = await findFreePort();
  const issuer = "http://127.0.0.1:9";
  const providers = [
    { id: "main", issuer, scimToken: TOKENS.main },
    { id: "other", issuer, scimToken: TOKENS.other },
    { id: "plain", issuer },
  ];
  const world = await startSignInWorld({ providers, port, ...options });
  const owner = new pg.Pool({ connectionString: world.url, max: 2 });

  async function send(method: Method, path: string, body?: object | string, token: string = TOKENS.main) {
    const answer = await fetch(`${world.publicUrl}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/scim+json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) };
  }

  const askJson = (method: Method, path: string, headers: Record<string, string>, body?: object) =>
    world.ask(path, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function signIn(username: string, password = ADMIN_PASSWORD) {
    const answer = await askJson("POST", "/auth/token", {}, { username, password });
    const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
    const { access_token } = await answer.json();
    return { token: { authorization: `Bearer ${access_token}` }, session: { cookie } };
  }

  return {
    ...world,
    send,
    askJson,
    signIn,
    query: async (sql: string, values: unknown[] = []) => (await owner.query(sql, values)).rows,
    /** An open stream of events. */
    async listen(headers: Record<string, string>) {
      const asked = request({ port, host: "127.0.0.1", path: "/api/v1/events", headers });
      asked.end();
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      const stream = { status: answer.statusCode, isEnded: false };
      answer.resume();
      answer.on("close", () => {
        stream.isEnded = true;
      });
      return stream;
    },
    async close() {
      await owner.end();
      await world.close();
    },
  };
}
export type ScimWorld = Awaited<ReturnType<typeof startScimWorld>>;
