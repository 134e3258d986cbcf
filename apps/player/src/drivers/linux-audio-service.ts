import { once } from "node:events";
import { connect } from "node:net";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { Anything, type Bus } from "./dbus.ts";
import { type LaunchMpv, mpvEnded } from "./mpv-launch.ts";

export interface LinuxAudioServiceDeps {
  /** The socket of manara-player-audio.socket: systemd starts one mpv, as a user of its own, per connection. */
  socketPath: string;
  bus: Pick<Bus, "call">;
  clock: Pick<Clock, "deadline" | "sleep">;
  log: Pick<Log, "warn">;
}

const SYSTEMD = {
  destination: "org.freedesktop.systemd1",
  path: "/org/freedesktop/systemd1",
  interface: "org.freedesktop.systemd1.Manager",
};
/** The names that systemd gives to the services of the socket. */
const UNITS = "manara-player-audio@*.service";
/** org.freedesktop.systemd1.Manager: the first of the ten fields of a unit is its name. */
const Units = Type.Array(Type.Array(Type.Unknown(), { minItems: 1 }));
const SIGKILL = 9;
const CONNECT_TIMEOUT_MS = 5000;
const KILL_TIMEOUT_MS = 5000;
const ASK_INTERVAL_MS = 50;

/**
 * Lets systemd run mpv. This process may not signal a process of another user, so systemd kills an mpv that hangs: the
 * next start does that first, because a second mpv could not open the audio device.
 */
export function launchMpvByService({ socketPath, bus, clock, log }: LinuxAudioServiceDeps): LaunchMpv {
  async function listUnits(): Promise<string[]> {
    const call = { ...SYSTEMD, member: "ListUnitsByPatterns", signature: "asas", body: [["active"], [UNITS]] };
    return (await bus.call(Units, call)).map(([name]) => String(name));
  }

  async function killFormer(): Promise<void> {
    const deadline = clock.deadline(KILL_TIMEOUT_MS);
    for (let units = await listUnits(); units.length > 0 && !deadline.aborted; units = await listUnits()) {
      for (const unit of units) {
        await bus.call(Anything, { ...SYSTEMD, member: "KillUnit", signature: "ssi", body: [unit, "all", SIGKILL] });
      }
      await clock.sleep(ASK_INTERVAL_MS);
    }
  }

  return async () => {
    await killFormer().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      // A unit that has just ended cannot be killed; any other failure is seen when mpv opens the audio device.
      log.warn({ why: error.message }, "ending the previous mpv failed");
    });
    const socket = connect(socketPath);
    const ended = new Promise<Problem>((resolve) => {
      socket.once("close", () => resolve(mpvEnded()));
    });
    try {
      await once(socket, "connect", { signal: clock.deadline(CONNECT_TIMEOUT_MS) });
    } catch (cause) {
      socket.destroy();
      throw new Problem("failed", "audio: the audio service cannot be reached", { cause });
    }
    return { socket, ended, kill: () => void socket.destroy() };
  };
}
