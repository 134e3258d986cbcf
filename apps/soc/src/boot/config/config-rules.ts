import { readEnvironment } from "@kit/config";
import { invalidField } from "@kit/problem";
import Type from "typebox";

const Text = Type.Optional(Type.String({ minLength: 1 }));
const Environment = Type.Object({
  SOC_URL: Type.Optional(Type.String({ pattern: "^https?://" })),
  SOC_API_KEY: Text,
  SOC_API_KEY_FILE: Text,
  SOC_TOKEN: Text,
  SOC_TOKEN_FILE: Text,
  SOC_USER: Type.String({ minLength: 1, default: "admin" }),
  SOC_PASSWORD_FILE: Text,
});
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);

export interface ServiceAccess {
  url: string;
  headers: Record<string, string>;
  /** The credentials to sign in with, if there is neither a key nor a token. */
  signIn?: { username: string; password: string };
}

/**
 * The service that a command uses, and its credentials. Credentials are never arguments, because other users could read
 * those.
 */
export async function readServiceAccess(
  environment: Record<string, string | undefined>,
  readFile: (path: string) => Promise<string>,
): Promise<ServiceAccess> {
  const read = readEnvironment(Environment, environment);
  const { SOC_URL, SOC_API_KEY_FILE, SOC_TOKEN_FILE } = read;
  if (SOC_URL === undefined) throw invalidField("SOC_URL", "is required");
  const { protocol, hostname } = new URL(SOC_URL);
  if (protocol !== "https:" && !LOOPBACK.has(hostname)) {
    throw invalidField("SOC_URL", "must be https, unless the service runs on this machine");
  }
  const url = SOC_URL.replace(/\/+$/, "");
  const held = async (path: string | undefined) => (path === undefined ? undefined : (await readFile(path)).trim());
  const key = read.SOC_API_KEY ?? (await held(SOC_API_KEY_FILE));
  if (key !== undefined) return { url, headers: { "x-api-key": key } };
  const token = read.SOC_TOKEN ?? (await held(SOC_TOKEN_FILE));
  if (token !== undefined) return { url, headers: { authorization: `Bearer ${token}` } };
  const password = await held(read.SOC_PASSWORD_FILE);
  if (password === undefined)
    throw invalidField("SOC_API_KEY_FILE", "is required, or SOC_TOKEN_FILE, or SOC_PASSWORD_FILE");
  return { url, headers: {}, signIn: { username: read.SOC_USER, password } };
}
