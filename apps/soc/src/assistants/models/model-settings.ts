import { isLoopback, reachOf, withoutBrackets } from "@kit/guard/address";
import { parseTarget } from "@kit/guard/target";
import { invalidField } from "@kit/problem";
import { readKey } from "../../foundation/outbound/http-adapters.ts";

export const PROVIDERS = ["openai-compatible", "anthropic"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** What the operator set, as it stands in the environment. */
export interface ModelVariables {
  url: string | undefined;
  model: string | undefined;
  provider: Provider | undefined;
  keyFile: string | undefined;
}

export interface ModelSettings {
  provider: Provider;
  /** Without a slash at its end. Every request goes below it. */
  url: string;
  model: string;
  key: string | undefined;
}

const PRIVATE_ZONES = [".local", ".localdomain", ".home.arpa", ".internal"];
const KEY = /^[\x21-\x7e]{1,4096}$/;

/** The model that the operator configured; undefined when there is none. Refuses with the name of the variable. */
export async function readModelSettings(read: ModelVariables): Promise<ModelSettings | undefined> {
  const { url, model, provider = "openai-compatible", keyFile } = read;
  if (url === undefined) {
    const others = { SOC_LLM_MODEL: model, SOC_LLM_PROVIDER: read.provider, SOC_LLM_KEY_FILE: keyFile };
    const set = Object.entries(others).find(([, value]) => value !== undefined);
    if (set) throw invalidField("SOC_LLM_URL", `required when ${set[0]} is set`);
    return undefined;
  }
  if (model === undefined) throw invalidField("SOC_LLM_MODEL", "required when SOC_LLM_URL is set");
  if (provider === "anthropic" && keyFile === undefined) {
    throw invalidField("SOC_LLM_KEY_FILE", "required when SOC_LLM_PROVIDER is anthropic");
  }
  return { provider, url: parseUrl(url), model, key: keyFile === undefined ? undefined : await readModelKey(keyFile) };
}

/** A private address is allowed here, because only the operator can name it. Case data leave a network encrypted only. */
function parseUrl(text: string): string {
  const policy = { schemes: ["http:", "https:"], allowPrivate: true } as const;
  const classify = (address: string) => (isLoopback(address) ? "private" : reachOf(address));
  if (/^https?:\/\/localhost[:/]/i.test(`${text}/`)) {
    throw invalidField("SOC_LLM_URL", "must name 127.0.0.1 instead of localhost");
  }
  const url = parseTarget("SOC_LLM_URL", text, policy, classify);
  if (url.search !== "" || url.hash !== "") throw invalidField("SOC_LLM_URL", "must have no query and no fragment");
  if (url.protocol === "http:" && !isInside(withoutBrackets(url.hostname))) {
    throw invalidField("SOC_LLM_URL", "must start with https:// unless its host is private");
  }
  return url.href.replace(/\/+$/, "");
}

/** A private or loopback address, a name without a dot, or a name of a zone that is never public. */
function isInside(host: string): boolean {
  if (isLoopback(host) || reachOf(host) === "private") return true;
  if (reachOf(host) === "public" || host.includes(":")) return false;
  return !host.includes(".") || PRIVATE_ZONES.some((zone) => host.endsWith(zone));
}

async function readModelKey(path: string): Promise<string> {
  const key = (await readKey("SOC_LLM_KEY_FILE", path, 1)).toString("utf8");
  if (!KEY.test(key)) throw invalidField("SOC_LLM_KEY_FILE", "must hold one key of printable characters");
  return key;
}
