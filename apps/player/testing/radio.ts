import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { createClock } from "@kit/clock";
import { BYTES_PER_SECOND, LONG_FILE, type Sounds } from "./sounds.ts";

/** A live source on loopback that a test can starve. */
export interface Radio {
  location: string;
  /** The number of requests. */
  hits(): number;
  /** Sends seconds of audio at once, then at the speed of playback. */
  feed(burstSeconds: number): void;
  starve(): void;
  /** The source ends its stream. */
  end(): void;
  close(): Promise<void>;
}

const PACE_MS = 100;

export async function startRadio(sounds: Sounds): Promise<Radio> {
  const clock = createClock();
  const closing = new AbortController();
  const audio = await readFile(sounds.path(LONG_FILE));
  const responses = new Set<ServerResponse>();
  let hits = 0;
  let isFed = true;
  let sent = 0;

  function send(seconds: number): void {
    const bytes = audio.subarray(sent, sent + seconds * BYTES_PER_SECOND);
    sent += bytes.length;
    for (const response of responses) response.write(bytes);
  }

  async function pace(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(PACE_MS);
      if (isFed) send(PACE_MS / 1000);
    }
  }

  const server = createServer((_request, response) => {
    hits += 1;
    response.writeHead(200, { "content-type": "audio/mpeg" });
    response.flushHeaders();
    responses.add(response);
    response.on("close", () => responses.delete(response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  void pace();

  return {
    location: `http://127.0.0.1:${address.port}/live`,
    hits: () => hits,
    feed(burstSeconds) {
      isFed = true;
      send(burstSeconds);
    },
    starve() {
      isFed = false;
    },
    end() {
      for (const response of responses) response.end();
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
