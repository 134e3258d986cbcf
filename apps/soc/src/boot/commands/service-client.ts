import { readFile } from "node:fs/promises";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type, { type TSchema } from "typebox";
import Value from "typebox/value";
import { readServiceAccess, type ServiceAccess } from "../config/config-rules.ts";

export type Environment = Record<string, string | undefined>;

export interface ServiceAnswer {
  status: number;
  retryAfterSeconds: number;
  text: string;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface ServiceClient {
  url: string;
  send: (method: Method, path: string, body?: object) => Promise<ServiceAnswer>;
  /** Reads a path at the root of the service. */
  read: (path: string) => Promise<ServiceAnswer>;
  /** Sends a text unchanged. */
  upload: (path: string, text: string, headers: Record<string, string>) => Promise<ServiceAnswer>;
}

export const SERVICE_VARIABLES =
  "SOC_URL names the service; SOC_API_KEY_FILE, SOC_TOKEN_FILE or SOC_USER and SOC_PASSWORD_FILE say as whom.";
export const AS_ADMIN = "SOC_URL names the service; SOC_TOKEN_FILE or SOC_USER and SOC_PASSWORD_FILE an administrator.";
const REQUEST_MS = 120_000;
const MAX_PAGES = 100;
const Token = Type.Object({ access_token: Type.String() });

/** Opens a client of the service with the address and credentials in the environment. */
export async function openService(environment: Environment): Promise<ServiceClient> {
  const access = await readServiceAccess(environment, (path) => readFile(path, "utf8"));
  const { url } = access;
  const headers = await openHeaders(access);
  return {
    url,
    send: (method, path, body) =>
      request(`${url}/api/v1${path}`, method, { ...headers, ...JSON_BODY }, body && JSON.stringify(body)),
    read: (path) => request(`${url}${path}`, "GET", headers, undefined),
    upload: (path, text, given) => request(`${url}/api/v1${path}`, "POST", { ...headers, ...given }, text),
  };
}

const JSON_BODY = { "content-type": "application/json" };

async function openHeaders({ url, headers, signIn }: ServiceAccess): Promise<Record<string, string>> {
  if (!signIn) return headers;
  const answer = await request(`${url}/api/v1/auth/token`, "POST", JSON_BODY, JSON.stringify(signIn));
  const { access_token } = parseAnswer(Token, answer, `signing in as ${signIn.username}`);
  return { authorization: `Bearer ${access_token}` };
}

async function request(address: string, method: Method, headers: Record<string, string>, body: string | undefined) {
  const { "content-type": type, ...others } = headers;
  const answer = await fetch(address, {
    method,
    headers: { ...others, ...(body !== undefined && type !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body }),
    // The credentials are for this service only.
    redirect: "error",
    signal: createClock().deadline(REQUEST_MS),
  }).catch((cause: unknown) => {
    throw new Problem("unavailable", `${new URL(address).origin} does not answer`, { cause });
  });
  const retryAfterSeconds = Number(answer.headers.get("retry-after") ?? 0);
  return { status: answer.status, retryAfterSeconds, text: await answer.text() };
}

/** Returns the response of the service; a refusal is repeated in its own words. */
export function parseAnswer<Schema extends TSchema>(schema: Schema, { status, text }: ServiceAnswer, what: string) {
  if (status < 200 || status > 299) throw new Problem("unavailable", `${what}: ${status} ${text.slice(0, 500)}`);
  return Value.Parse(schema, JSON.parse(text));
}

/** Returns all items of a list. */
export async function listAll<Schema extends TSchema>({ send }: ServiceClient, path: string, item: Schema) {
  const Page = Type.Object({ items: Type.Array(item), next_cursor: Type.Union([Type.String(), Type.Null()]) });
  const items: Type.Static<Schema>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: "200", ...(cursor !== null && { cursor }) });
    const read = parseAnswer(Page, await send("GET", `${path}?${query}`), path);
    items.push(...read.items);
    cursor = read.next_cursor;
    if (cursor === null) return items;
  }
  throw new Problem("failed", `${path} has more than ${MAX_PAGES} pages`);
}
