import { readFile } from "node:fs/promises";
import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { MessageBus } from "dbus-next";
import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import type { FirmwareUpdater } from "../ota/firmware-updater.ts";

export interface RaucUpdaterDeps {
  /** The address of the system bus in D-Bus notation. */
  busAddress: string;
  clock: Pick<Clock, "sleep" | "deadline">;
  log: Pick<Log, "warn">;
  /** By default the path that Linux uses. */
  bootIdPath?: string;
}

/** One connection to the bus. */
interface Line {
  bus: MessageBus;
  library: typeof import("dbus-next");
}

interface Call<Reply extends TSchema> {
  destination: string;
  path: string;
  interface: string;
  member: string;
  signature?: string;
  body?: unknown[];
  Reply: Reply;
  withinMs?: number;
}

const RAUC = { destination: "de.pengutronix.rauc", path: "/", interface: "de.pengutronix.rauc.Installer" };
const BUS = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };
const LOGIN = {
  destination: "org.freedesktop.login1",
  path: "/org/freedesktop/login1",
  interface: "org.freedesktop.login1.Manager",
};

/** The bus knows no RAUC that it could start. */
const UNKNOWN: ReadonlySet<string> = new Set([
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
]);

const ANSWER_MS = 20_000;
// The signature of a plain bundle covers all of its bytes, and a memory card is slow.
const INSPECT_MS = 5 * 60_000;
const INSTALL_MS = 30 * 60_000;
const REBOOT_MS = 120_000;
const POLL_MS = 250;

const Nothing = Type.Unknown();
const Text = Type.Tuple([Type.Object({ value: Type.String() })]);
const Progress = Type.Tuple([Type.Object({ value: Type.Tuple([Type.Integer(), Type.String(), Type.Integer()]) })]);
const Facts = Type.Tuple([Type.String(), Type.String()]);
const SlotStatus = Type.Tuple([
  Type.Array(
    Type.Tuple([
      Type.String(),
      Type.Object({
        state: Type.Object({ value: Type.String() }),
        sha256: Type.Optional(Type.Object({ value: Type.String() })),
      }),
    ]),
  ),
]);
const Completed = Type.Tuple([Type.Integer()]);
const OwnerChange = Type.Tuple([Type.Literal(RAUC.destination), Type.String(), Type.String()]);
const Refusal = Type.Object({ type: Type.String(), text: Type.String() });

/**
 * RAUC (1.8 or later) over D-Bus. Each task uses a connection of its own: tasks are rare, and this library never
 * answers a call on a broken connection.
 */
export function createRaucUpdater({
  busAddress,
  clock,
  log,
  bootIdPath = "/proc/sys/kernel/random/boot_id",
}: RaucUpdaterDeps): FirmwareUpdater {
  async function onBus<T>(work: (line: Line) => Promise<T>): Promise<T> {
    // Loading this library takes 250 ms on a small machine, so only a device that has these parts loads it.
    // The default export is the whole library, also in a bundle.
    const { default: library } = await import("dbus-next");
    const bus = library.sessionBus({ busAddress });
    const lost = new Promise<never>((_resolve, reject) => {
      bus.on("error", (cause: unknown) => {
        reject(new Problem("failed", "firmware: the system bus cannot be reached", { code: "no_updater", cause }));
      });
    });
    try {
      return await Promise.race([work({ bus, library }), lost]);
    } catch (error) {
      throw Value.Check(Refusal, error) ? unansweredBy(error) : error;
    } finally {
      bus.disconnect();
    }
  }

  /** The answer, checked against its expected schema. */
  async function call<Reply extends TSchema>({ bus, library }: Line, given: Call<Reply>): Promise<Static<Reply>> {
    const { Reply, withinMs = ANSWER_MS, signature = "", body = [], ...where } = given;
    const late = rejection(clock.deadline(withinMs), "firmware: RAUC does not answer");
    const answer = await Promise.race([bus.call(new library.Message({ ...where, signature, body })), late]);
    const answered: unknown = answer?.body;
    if (!Value.Check(Reply, answered))
      throw new Problem("failed", `firmware: unexpected answer of RAUC to ${given.member}`);
    return answered;
  }

  const rauc = <Reply extends TSchema>(
    line: Line,
    given: Pick<Call<Reply>, "member" | "signature" | "body" | "Reply" | "withinMs">,
  ) => call(line, { ...RAUC, ...given });

  function property<Reply extends TSchema>(line: Line, name: string, Reply: Reply): Promise<Static<Reply>> {
    return call(line, {
      ...RAUC,
      interface: "org.freedesktop.DBus.Properties",
      member: "Get",
      signature: "ss",
      body: [RAUC.interface, name],
      Reply,
    });
  }

  /** RAUC refuses everything except reading properties while it installs. */
  async function untilIdle(line: Line): Promise<void> {
    const deadline = clock.deadline(INSTALL_MS);
    while ((await property(line, "Operation", Text))[0].value !== "idle") {
      if (deadline.aborted) throw new Problem("failed", "firmware: an installation does not end");
      await clock.sleep(POLL_MS);
    }
  }

  function mark(line: Line, state: "good" | "bad" | "active", slot: "booted" | "other"): Promise<unknown> {
    return rauc(line, { member: "Mark", signature: "ss", body: [state, slot], Reply: Nothing });
  }

  function listenFor(line: Line, rule: string): Promise<unknown> {
    return call(line, { ...BUS, member: "AddMatch", signature: "s", body: [`type='signal',${rule}`], Reply: Nothing });
  }

  /** Resolves with RAUC's result; rejects when RAUC ends without one. */
  async function completion(line: Line): Promise<{ result: Promise<number> }> {
    const result = new Promise<number>((resolve, reject) => {
      line.bus.on("message", ({ member, body }) => {
        if (member === "Completed" && Value.Check(Completed, body)) resolve(body[0]);
        if (member === "NameOwnerChanged" && Value.Check(OwnerChange, body) && body[1] !== "") {
          reject(new Problem("failed", "firmware: RAUC ended while it was installing"));
        }
      });
    });
    // If the installation does not even begin, nothing awaits this promise.
    result.catch(() => undefined);
    await listenFor(line, `interface='${RAUC.interface}',member='Completed'`);
    await listenFor(line, `sender='${BUS.destination}',member='NameOwnerChanged',arg0='${RAUC.destination}'`);
    return { result };
  }

  /** Reports the progress until it is stopped; a bus or a RAUC that stops answering ends it. */
  async function follow(line: Line, onProgress: (percent: number) => void, ended: AbortSignal): Promise<never> {
    const deadline = clock.deadline(INSTALL_MS);
    for (;;) {
      await clock.sleep(POLL_MS, ended);
      const [progress] = await property(line, "Progress", Progress);
      if (!ended.aborted) onProgress(progress.value[0]);
      if (deadline.aborted) throw new Problem("failed", "firmware: the installation does not end");
    }
  }

  return {
    running: () =>
      onBus(async (line) => {
        await untilIdle(line);
        const [{ value: compatible }] = await property(line, "Compatible", Text);
        const [slots] = await rauc(line, { member: "GetSlotStatus", Reply: SlotStatus });
        const booted = slots.find(([, { state }]) => state.value === "booted");
        if (!booted) throw new Problem("failed", "firmware: RAUC does not know which slot runs");
        return { slot: booted[0], compatible, bootId: (await readFile(bootIdPath, "utf8")).trim() };
      }),

    slots: async () => {
      const listed = onBus((line) => rauc(line, { member: "GetSlotStatus", Reply: SlotStatus }));
      const [slots] = await listed.catch((error: unknown) => {
        if (error instanceof Problem && error.code === "no_updater") return [[]] as const;
        throw error;
      });
      return slots.map(([name, { state, sha256 }]) => ({
        name,
        is_booted: state.value === "booted",
        hash: sha256?.value ?? null,
      }));
    },

    inspect: (path, field) =>
      onBus(async (line) => {
        await untilIdle(line);
        const info = { member: "Info", signature: "s", body: [path], Reply: Facts, withinMs: INSPECT_MS };
        const [compatible, version] = await rauc(line, info).catch((error: unknown) => {
          if (!Value.Check(Refusal, error) || isOfBus(error)) throw error;
          // RAUC does not return the reason; only its own log has it.
          throw invalidField(field, "is no bundle with a valid signature", { cause: error });
        });
        return { compatible, version };
      }),

    install: (path, onProgress) =>
      onBus(async (line) => {
        await untilIdle(line);
        const { result } = await completion(line);
        const ended = new AbortController();
        try {
          await rauc(line, { member: "InstallBundle", signature: "sa{sv}", body: [path, {}], Reply: Nothing });
          if ((await Promise.race([result, follow(line, onProgress, ended.signal)])) === 0) return;
        } finally {
          ended.abort();
        }
        const [{ value: why }] = await property(line, "LastError", Text);
        log.warn({ why }, "firmware installation failed");
        throw new Problem("failed", `firmware: the bundle ${explainRejection(why)}`);
      }),

    markGood: () =>
      onBus(async (line) => {
        await untilIdle(line);
        await mark(line, "good", "booted");
        await mark(line, "active", "booted");
      }),

    markBad: () =>
      onBus(async (line) => {
        await untilIdle(line);
        // In this order, a power cut in between still boots the other slot.
        await mark(line, "active", "other");
        await mark(line, "bad", "booted");
      }),

    reboot: async () => {
      await onBus((line) => call(line, { ...LOGIN, member: "Reboot", signature: "b", body: [false], Reply: Nothing }));
      await clock.sleep(REBOOT_MS);
      throw new Problem("failed", "firmware: the device did not restart");
    },
  };
}

/** Errors of the bus itself: the request did not reach the service. */
function isOfBus({ type }: Static<typeof Refusal>): boolean {
  return type.startsWith("org.freedesktop.DBus.Error.");
}

function unansweredBy(cause: Static<typeof Refusal>): Problem {
  if (!isOfBus(cause)) return new Problem("failed", "firmware: RAUC refused", { cause });
  const code = UNKNOWN.has(cause.type) ? "no_updater" : undefined;
  return new Problem("failed", "firmware: RAUC cannot be reached", { code, cause });
}

/** RAUC's own messages name paths and libraries, so they are replaced. */
function explainRejection(why: string): string {
  if (/signature|verif/i.test(why)) return "has no valid signature";
  if (/compatible/i.test(why)) return "is made for another device";
  return "is no sound firmware bundle";
}

function rejection(signal: AbortSignal, message: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Problem("failed", message)), { once: true });
  });
}
