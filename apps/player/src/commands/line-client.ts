import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import type { Clock } from "@kit/clock";

const ANSWER_MS = 5000;

/** Sends one line to a socket of a running service on this machine. Returns the line that it answers. */
export async function sendLine(path: string, line: string, clock: Pick<Clock, "deadline">): Promise<string> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    socket.write(`${line}\n`);
    const signal = clock.deadline(ANSWER_MS);
    const lines: unknown[] = await once(createInterface({ input: socket }), "line", { signal });
    return String(lines[0]);
  } finally {
    socket.destroy();
  }
}
