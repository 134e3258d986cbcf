import { createClock } from "@kit/clock";

/** The service that receives the logs. It changes when the service is started again. */
export interface Receiver {
  url: string;
  token: string;
}

const clock = createClock();
const SENDERS = 2;
const BATCH_SIZE = 20;
const PAUSE_MS = 30;
const REPEAT_MS = 50;
const ANSWER_MS = 10_000;

/** Sends one batch until it is acknowledged, like a shipper that keeps its queue. Returns how often it was refused. */
export async function sendBatch(receiver: () => Receiver, batchId: string, events: readonly object[]): Promise<number> {
  for (let refusals = 0; ; refusals += 1) {
    const { url, token } = receiver();
    const answer = await fetch(`${url}/api/v1/siem/ingest`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-batch-id": batchId },
      body: JSON.stringify(events),
      signal: clock.deadline(ANSWER_MS),
    }).catch(() => undefined);
    if (answer?.status === 202) return refusals;
    if (answer && answer.status !== 503) throw new Error(`${batchId}: ${answer.status} ${await answer.text()}`);
    await clock.sleep(REPEAT_MS);
  }
}

/** Keeps sending batches of logs, each with its own user, from several senders. */
export function startSenders(receiver: () => Receiver) {
  const over = new AbortController();
  const sent: string[] = [];
  let refusals = 0;

  async function send(sender: number): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const users = Array.from({ length: BATCH_SIZE }, (_, n) => `${sender}-${turn}-${n}`);
      const events = users.map((user) => ({ source: "load", user, message: "as usual" }));
      refusals += await sendBatch(receiver, `load-${sender}-${turn}`, events);
      sent.push(...users);
      await clock.sleep(PAUSE_MS);
    }
  }

  const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return {
    abort: () => over.abort(),
    /** Ends after the batches under way are acknowledged. Returns the user of each acknowledged log. */
    async stop() {
      over.abort();
      await sending;
      return { sent, refusals };
    },
  };
}

/** The user of each stored log of the senders. */
export async function listStored({ url, token }: Receiver): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/siem/logs/export?query=source:load&format=ndjson&limit=1000000`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) throw new Error(`the logs cannot be exported: ${answer.status}`);
  const lines = (await answer.text()).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).user);
}
