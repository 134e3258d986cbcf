import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import type { Ids } from "@kit/clock/ids";

/** A loopback address at which the engine reads a stream. It serves one reader, once. */
export interface Outlet {
  contentType: string;
  /** A loopback URL that cannot be guessed. */
  location: string;
  /** Resolves when there is room for more; rejects when the signal is aborted first. */
  write(audio: Buffer, signal: AbortSignal): Promise<void>;
  /** Ends the audio. A connected reader sees the end, a later one gets 404. */
  end(): void;
}

export type Relay = ReturnType<typeof createRelay>;

const BUFFER_BYTES = 1024 * 1024;

/** Serves audio to the engine on loopback, so that the engine itself never connects to the outside. */
export function createRelay({ ids }: { ids: Pick<Ids, "secret"> }) {
  const unclaimed = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const claim = request.method === "GET" ? unclaimed.get(request.url ?? "") : undefined;
    response.setHeader("connection", "close");
    if (claim) claim(response);
    else response.writeHead(404).end();
  });

  function port(): number {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the relay was not started");
    return address.port;
  }

  return {
    async start(): Promise<void> {
      if (server.listening) return;
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    },

    async close(): Promise<void> {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },

    /** Calls back when the reader disconnects before the end. */
    open(contentType: string, onLeave: () => void): Outlet {
      const path = `/${ids.secret(16).toString("hex")}`;
      const buffer = new PassThrough({ writableHighWaterMark: BUFFER_BYTES });
      let reader: ServerResponse | undefined;
      let isEnded = false;
      unclaimed.set(path, (response) => {
        unclaimed.delete(path);
        reader = response;
        response.on("close", () => {
          if (!isEnded) onLeave();
        });
        response.writeHead(200, { "content-type": contentType });
        buffer.pipe(response);
      });
      return {
        contentType,
        location: `http://127.0.0.1:${port()}${path}`,
        async write(audio, signal) {
          if (!buffer.write(audio)) await once(buffer, "drain", { signal });
        },
        end() {
          isEnded = true;
          unclaimed.delete(path);
          buffer.unpipe();
          reader?.end();
        },
      };
    },
  };
}
