import { createClock } from "@kit/clock";
import type { Answer, SocClient } from "../client.ts";

type Json = ReturnType<typeof JSON.parse>;

const clock = createClock();
const RETRY_MS = 30_000;

/** On a busy machine some requests are refused with 503 without effect: they are sent again, as a sensor would do. */
export function createRetryingClient(client: SocClient): SocClient {
  const ask: SocClient["ask"] = async (method, path, body) => {
    const deadline = clock.deadline(RETRY_MS);
    for (;;) {
      const answer = await client.ask(method, path, body);
      if (answer.status !== 503 || deadline.aborted) return answer;
      await clock.sleep(200);
    }
  };
  return {
    ...client,
    ask,
    get: (path) => ask("GET", `/api/v1${path}`),
    post: (path, body) => ask("POST", `/api/v1${path}`, body),
    patch: (path, body) => ask("PATCH", `/api/v1${path}`, body),
  };
}

/** The body of an answer that must be a success. */
export async function done(asking: Promise<Answer>): Promise<Json> {
  const { status, body } = await asking;
  if (status < 200 || status > 299) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
