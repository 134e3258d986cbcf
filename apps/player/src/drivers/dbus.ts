import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { MessageBus, Message as ReceivedMessage } from "dbus-next";
import type { Static, TSchema } from "typebox";
import Type from "typebox";
import Value from "typebox/value";

export interface BusObject {
  destination: string;
  path: string;
  interface: string;
}

export interface BusCall extends BusObject {
  member: string;
  /** D-Bus signature of the body. */
  signature?: string;
  body?: readonly unknown[];
}

/** A value that carries its own D-Bus signature. */
export class BusVariant {
  readonly signature: string;
  readonly value: unknown;

  constructor(signature: string, value: unknown) {
    this.signature = signature;
    this.value = value;
  }
}

/**
 * A message bus as drivers see it. Answers are plain values: variants are unwrapped and 64-bit integers are numbers.
 */
export interface Bus {
  /**
   * Returns the first value of the answer. A refusal, a timeout or a lost connection is a Problem that begins with
   * "dbus: ".
   */
  call<Answer extends TSchema>(Answer: Answer, call: BusCall): Promise<Static<Answer>>;
  property<Property extends TSchema>(Property: Property, object: BusObject, name: string): Promise<Static<Property>>;
  /** Calls the listener with the body of every such signal. Returns the function that stops listening. */
  onSignal(
    signal: Omit<BusObject, "destination"> & { member: string },
    listener: (body: unknown[]) => void,
  ): Promise<() => void>;
  close(): void;
}

export interface BusDeps {
  /** For example unix:path=/run/dbus/system_bus_socket. */
  address: string;
  clock: Pick<Clock, "deadline">;
}

interface Connection {
  bus: MessageBus;
  library: typeof import("dbus-next");
  /** Calls that wait for an answer; each is rejected when the connection breaks. */
  pending: Set<(problem: Problem) => void>;
  /** The match rules by which the bus sends signals to this client. */
  matches: Set<string>;
}

const ANSWER_TIMEOUT_MS = 10_000;
const DBUS = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };

/** Connects on the first call, and reconnects on the next call after the connection broke. */
export function createBus({ address, clock }: BusDeps): Bus {
  let connection: Promise<Connection> | undefined;

  function connect(): Promise<Connection> {
    connection ??= openConnection();
    return connection;
  }

  async function openConnection(): Promise<Connection> {
    // Loading this library takes 250 ms on a small machine, so only a device that has these parts loads it.
    // The default export is the whole library, also in a bundle.
    const { default: library } = await import("dbus-next");
    const bus = library.sessionBus({ busAddress: address });
    const opened: Connection = { bus, library, pending: new Set(), matches: new Set() };
    bus.on("error", (cause: unknown) =>
      lose(opened, new Problem("failed", "dbus: the bus cannot be reached", { cause })),
    );
    return opened;
  }

  function lose({ bus, pending }: Connection, problem: Problem): void {
    connection = undefined;
    bus.disconnect();
    for (const fail of pending) fail(problem);
  }

  async function send({ body = [], signature = "", ...call }: BusCall): Promise<unknown[]> {
    const connected = await connect();
    const { bus, library, pending } = connected;
    const message = new library.Message({ ...call, signature, body: body.map((each) => wrapped(each, library)) });
    return new Promise<unknown[]>((resolve, reject) => {
      const settled = () => pending.delete(fail);
      const fail = (problem: Problem) => {
        settled();
        reject(problem);
      };
      pending.add(fail);
      clock.deadline(ANSWER_TIMEOUT_MS).addEventListener("abort", () => {
        // An idle connection does not report that the bus is gone: drop the connection, so that the next call
        // reconnects.
        if (pending.has(fail)) lose(connected, new Problem("failed", `dbus: ${call.destination} does not answer`));
      });
      bus.call(message).then(
        (answer) => {
          settled();
          resolve((answer?.body ?? []).map((each: unknown) => unwrapped(each, library)));
        },
        (cause: unknown) => fail(toProblem(call, cause)),
      );
    });
  }

  async function call<Answer extends TSchema>(Answer: Answer, request: BusCall): Promise<Static<Answer>> {
    const [answer] = await send(request);
    if (Value.Check(Answer, answer)) return answer;
    throw new Problem("failed", `dbus: the answer of ${request.member} has another form`);
  }

  return {
    call,

    property: (Property, { interface: owner, ...object }, name) =>
      call(Property, {
        ...object,
        interface: "org.freedesktop.DBus.Properties",
        member: "Get",
        signature: "ss",
        body: [owner, name],
      }),

    async onSignal({ path, interface: owner, member }, listener) {
      const { bus, library, matches } = await connect();
      const onMessage = (message: ReceivedMessage) => {
        const isMine = message.path === path && message.interface === owner && message.member === member;
        if (isMine && message.type === library.MessageType.SIGNAL) {
          listener(message.body.map((each: unknown) => unwrapped(each, library)));
        }
      };
      bus.on("message", onMessage);
      const match = `type='signal',path='${path}',interface='${owner}',member='${member}'`;
      if (!matches.has(match)) await send({ ...DBUS, member: "AddMatch", signature: "s", body: [match] });
      matches.add(match);
      return () => bus.off("message", onMessage);
    },

    close() {
      void connection?.then((opened) => lose(opened, new Problem("failed", "dbus: the bus was closed")));
    },
  };
}

/** The error name with which a service refused a call; undefined for any other problem. */
export function findBusError(error: unknown): string | undefined {
  const cause: unknown = error instanceof Problem ? error.cause : undefined;
  return Value.Check(Refusal, cause) ? cause.type : undefined;
}

/** For calls whose answer is not needed. */
export const Anything = Type.Unknown();

const Refusal = Type.Object({ type: Type.String(), text: Type.String() });

function toProblem({ member }: Pick<BusCall, "member">, cause: unknown): Problem {
  const why = Value.Check(Refusal, cause) ? cause.text : "it could not be sent";
  return new Problem("failed", `dbus: ${member} was refused: ${why}`, { cause });
}

function wrapped(value: unknown, library: Connection["library"]): unknown {
  if (value instanceof BusVariant) return new library.Variant(value.signature, wrapped(value.value, library));
  return mapped(value, (each) => wrapped(each, library));
}

function unwrapped(value: unknown, library: Connection["library"]): unknown {
  if (value instanceof library.Variant) return unwrapped(value.value, library);
  if (typeof value === "bigint") return Number(value);
  return mapped(value, (each) => unwrapped(each, library));
}

function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]));
}
