import { once } from "node:events";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClock } from "@kit/clock";

/** Asks mpv itself whether audio runs, independently of the service. */
export interface MpvWitness {
  /** Replaces mpv: the same program with a second control socket. */
  command: string;
  /** Starts to ask. mpv must be running. */
  watch(): Promise<void>;
  /** The times at which the position had advanced since the previous request, on the monotonic clock. */
  moves: readonly number[];
  close(): void;
}

const ASK_INTERVAL_MS = 20;
const REQUEST = 1;
const clock = createClock();

export async function createMpvWitness(): Promise<MpvWitness> {
  const folder = await mkdtemp(join(tmpdir(), "witness-"));
  const path = join(folder, "mpv.sock");
  const command = join(folder, "mpv");
  await writeFile(command, `#!/bin/sh\nexec mpv --input-ipc-server=${path} "$@"\n`);
  await chmod(command, 0o755);
  const moves: number[] = [];
  const closing = new AbortController();

  async function ask(socket: Socket): Promise<void> {
    const answers = createInterface(socket)[Symbol.asyncIterator]();
    let position: unknown;
    while (!closing.signal.aborted) {
      socket.write(`${JSON.stringify({ command: ["get_property", "time-pos"], request_id: REQUEST })}\n`);
      const data = await nextAnswer(answers);
      if (typeof data === "number" && typeof position === "number" && data > position) moves.push(clock.monotonicMs());
      position = data;
      await clock.sleep(ASK_INTERVAL_MS);
    }
    socket.destroy();
  }

  return {
    command,
    moves,
    async watch() {
      const socket = connect(path);
      await once(socket, "connect");
      void ask(socket);
    },
    close: () => closing.abort(),
  };
}

/** Events arrive in between; they are skipped. */
async function nextAnswer(lines: AsyncIterator<string>): Promise<unknown> {
  for (;;) {
    const { done, value } = await lines.next();
    if (done) throw new Error("mpv is gone");
    const message = JSON.parse(value);
    if (message.request_id === REQUEST) return message.data;
  }
}
