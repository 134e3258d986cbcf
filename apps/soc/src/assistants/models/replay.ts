import { Problem } from "@kit/problem";
import type { ToolLoop } from "./model.ts";
import type { ModelFetchDeps } from "./model-fetch.ts";
import { MODEL_DESTINATION } from "./model-fetch.ts";
import { buildRequestEntry, type TranscriptEntry } from "./transcript.ts";

/**
 * Stands in for the provider and for the tools of a recorded run: nothing is sent and nothing is executed. Refuses a
 * request that is not the recorded one, so an equal result proves that nothing else has influenced the run.
 */
export function createReplay(transcript: readonly TranscriptEntry[]) {
  const exchanges = transcript.filter(({ kind }) => kind !== "call");
  const calls = transcript.filter((entry) => entry.kind === "call").filter(({ is_executed }) => is_executed);

  const outbound: ModelFetchDeps["outbound"] = {
    async stream({ body = "" }, read) {
      const recorded = exchanges.shift();
      const { body_sha256 } = buildRequestEntry(Buffer.from(body).toString("utf8"), false);
      if (recorded?.kind !== "request" || recorded.body_sha256 !== body_sha256) {
        throw new Problem("conflict", `${MODEL_DESTINATION}: the request is not the recorded one`);
      }
      if (exchanges[0]?.kind !== "reply")
        throw new Problem("unavailable", `${MODEL_DESTINATION}: no reply is recorded`);
      const reply = exchanges[0];
      exchanges.shift();
      const headers = { "content-type": "text/event-stream", "retry-after": "0" };
      const { signal } = new AbortController();
      await read({ status: reply.status, headers, body: replayBody(reply.body, reply.is_complete) }, signal);
      return { outcome: "answered", id: "replay", answer: { status: reply.status } };
    },
  };

  const call: ToolLoop["call"] = async (name) => {
    const recorded = calls.shift();
    if (recorded?.name === name) return recorded.result;
    throw new Problem("conflict", `${name}: the call is not the recorded one`);
  };

  return { outbound, call };
}

async function* replayBody(body: string, isComplete: boolean): AsyncGenerator<Buffer> {
  yield Buffer.from(body);
  if (!isComplete) throw new Problem("unavailable", `${MODEL_DESTINATION}: the connection broke`);
}
