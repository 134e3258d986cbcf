import { after, now } from "../browser/clock.ts";
import type { Session } from "../session/session.ts";
import type { Server } from "./server.ts";

interface SharedAnswer {
  key: string;
  askedAtMs: number;
  body: unknown;
}

export type SharedReads = ReturnType<typeof createSharedReads>;

const NAME = "manara-soc-answers";

/**
 * Reads that every tab of a user repeats at the same events: one tab asks the service, and the others take its answer.
 * Answers are kept in memory, by user, and only an answer that was asked for later than the read is taken.
 */
export function createSharedReads(server: Pick<Server, "get">, session: Pick<Session, "read" | "subscribe">) {
  const answers = new Map<string, SharedAnswer>();
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<SharedAnswer>) => answers.set(data.key, data));
  session.subscribe(() => {
    if (session.read().state !== "signed-in") answers.clear();
  });

  async function readInTurn<Body>(key: string, path: string, wantedAtMs: number, signal: AbortSignal): Promise<Body> {
    // Answers of the tab that had the turn before arrive first.
    await new Promise<void>((resolve) => after(0, resolve));
    const known = answers.get(key);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all tabs run one release
    if (known && known.askedAtMs > wantedAtMs) return known.body as Body;
    const askedAtMs = now().getTime();
    const body = await server.get<Body>(path, { signal });
    channel.postMessage({ key, askedAtMs, body } satisfies SharedAnswer);
    return body;
  }

  return {
    read: async <Body>(path: string, signal: AbortSignal): Promise<Body> => {
      const state = session.read();
      if (state.state !== "signed-in") return server.get<Body>(path, { signal });
      const key = `${state.me.username} ${path}`;
      const wantedAtMs = now().getTime();
      return navigator.locks.request(`${NAME} ${key}`, { signal }, () =>
        readInTurn<Body>(key, path, wantedAtMs, signal),
      );
    },
  };
}
