import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { createMpvIpc, type MpvIpc } from "./mpv-ipc.ts";
import type { LaunchMpv } from "./mpv-launch.ts";

export interface MpvProcessDeps {
  launch: LaunchMpv;
  clock: Pick<Clock, "deadline">;
}

/** One mpv process. */
export interface MpvProcess extends MpvIpc {
  /** Calls back once: when mpv cannot be started, has ended, was killed, or does not answer. */
  onDeath: (listener: (problem: Problem) => void) => void;
  kill(problem: Problem): void;
  /** Lets mpv exit by itself, and kills it after a timeout. */
  end(): Promise<void>;
}

const EXIT_TIMEOUT_MS = 1000;

export async function startMpv({ launch, clock }: MpvProcessDeps): Promise<MpvProcess> {
  const launched = await launch();
  const { socket } = launched;
  const listeners = new Set<(problem: Problem) => void>();
  let death: Problem | undefined;

  const kill = (problem: Problem): void => {
    death ??= problem;
    launched.kill();
    // Discard output of mpv that has not been read yet.
    socket.destroy();
    for (const listener of listeners) listener(problem);
    listeners.clear();
  };

  const exited = launched.ended.then(kill);
  // An mpv without its socket is of no use. Why it ended is known when it has ended.
  socket.on("error", launched.kill);
  socket.on("close", launched.kill);

  return {
    ...createMpvIpc({ socket, clock, onHang: () => kill(new Problem("failed", "audio: mpv does not answer")) }),
    onDeath(listener) {
      // It may have ended before anything listened.
      if (death) listener(death);
      else listeners.add(listener);
    },
    kill,
    end() {
      socket.end();
      clock.deadline(EXIT_TIMEOUT_MS).addEventListener("abort", () => launched.kill());
      return exited;
    },
  };
}
