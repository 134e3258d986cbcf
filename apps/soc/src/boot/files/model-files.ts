import { invalidField } from "@kit/problem";
import type { ModelSettings, Provider } from "../../assistants/module.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { parseOperatorAddress } from "../../foundation/outbound/operator-address.ts";

/** The values of the environment. */
export interface ModelVariables {
  url: string | undefined;
  model: string | undefined;
  provider: Provider | undefined;
  keyFile: string | undefined;
}

const KEY = /^[\x21-\x7e]{1,4096}$/;

/** The model that the operator configured; undefined if there is none. Errors name the variable. */
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
  const key = keyFile === undefined ? undefined : await readModelKey(keyFile);
  return { provider, url: parseOperatorAddress("SOC_LLM_URL", url), model, key };
}

async function readModelKey(path: string): Promise<string> {
  const key = (await readKey("SOC_LLM_KEY_FILE", path, 1)).toString("utf8");
  if (!KEY.test(key)) throw invalidField("SOC_LLM_KEY_FILE", "must contain one key of printable characters");
  return key;
}
