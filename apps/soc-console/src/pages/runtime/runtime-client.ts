import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { type Answer, isRecord, readAnswer, type Send } from "../../app/api/answer.ts";
import { MODE_WORDS } from "./words.ts";

export type ReadRuntime = (accessToken: string) => Promise<Answer<RuntimeTruthBody>>;

function isRuntimeTruth(body: unknown): body is RuntimeTruthBody {
  return isRecord(body) && typeof body.mode === "string" && Object.hasOwn(MODE_WORDS, body.mode);
}

export function createReadRuntime(send: Send): ReadRuntime {
  return (accessToken) =>
    readAnswer(send("/api/v1/system/mode", { headers: { authorization: `Bearer ${accessToken}` } }), isRuntimeTruth);
}
