import type { Duplex } from "node:stream";
import type { Clock } from "@kit/clock";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { parseJson } from "./json-line.ts";

/** The fields of mpv's events that we read ("JSON IPC" and "List of events" in its manual). */
const MpvEvent = Type.Object({
  event: Type.String(),
  playlist_entry_id: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
  file_error: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  data: Type.Optional(Type.Unknown()),
  text: Type.Optional(Type.String()),
});
export type MpvEvent = Static<typeof MpvEvent>;

const MpvAnswer = Type.Object({
  request_id: Type.Integer(),
  error: Type.Optional(Type.String()),
  data: Type.Optional(Type.Unknown()),
});

type MpvArgument = string | number | boolean;
/** By position, or by name: versions of mpv have different positions, and the same names. */
export type MpvCommand = readonly MpvArgument[] | Readonly<Record<string, MpvArgument>>;

export interface MpvReply {
  data?: unknown;
  /** Why mpv refused; undefined when it did not, or ended before it answered. */
  refusal?: string | undefined;
}

export interface MpvIpc {
  /** The data of the answer; undefined when mpv has none, refuses, or ends before it answers. */
  request: (...command: readonly MpvArgument[]) => Promise<unknown>;
  /** Calls back before any event that follows the answer is emitted. */
  send: (command: MpvCommand, onAnswer: (reply: MpvReply) => void) => void;
  /** Returns the function that stops listening. */
  onEvent: (listener: (event: MpvEvent) => void) => () => void;
}

export interface MpvIpcDeps {
  socket: Duplex;
  clock: Pick<Clock, "deadline">;
  onHang: () => void;
}

// A small board that starts everything at once needs many seconds to load mpv.
const START_TIMEOUT_MS = 15_000;
const ANSWER_TIMEOUT_MS = 2000;
const READ_TIMEOUT_MS = 100;
const SUCCESS = "success";

/** Exchanges requests, answers and events as lines of JSON. Any other line ends the connection. */
export function createMpvIpc({ socket, clock, onHang }: MpvIpcDeps): MpvIpc {
  const listeners = new Set<(event: MpvEvent) => void>();
  const pending = new Map<number, (reply: MpvReply) => void>();
  let requests = 0;
  let hasAnswered = false;
  let unread = "";

  function settle(id: number, reply: MpvReply): void {
    pending.get(id)?.(reply);
    pending.delete(id);
  }

  function read(line: string): void {
    const message = parseJson(line);
    if (Value.Check(MpvEvent, message)) for (const listener of listeners) listener(message);
    else if (Value.Check(MpvAnswer, message)) {
      hasAnswered = true;
      const { request_id, data, error = SUCCESS } = message;
      settle(request_id, error === SUCCESS ? { data } : { refusal: error });
    } else socket.destroy(new Error("mpv sent a line that is neither an event nor an answer"));
  }

  function watch(id: number): void {
    clock.deadline(hasAnswered ? ANSWER_TIMEOUT_MS : START_TIMEOUT_MS).addEventListener("abort", () => {
      // If this process was blocked, the answer has already arrived and only has to be read.
      clock.deadline(READ_TIMEOUT_MS).addEventListener("abort", () => {
        if (pending.has(id)) onHang();
      });
    });
  }

  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const lines = (unread + text).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) read(line);
  });
  socket.on("close", () => {
    for (const id of [...pending.keys()]) settle(id, {});
  });

  function send(command: MpvCommand, onAnswer: (reply: MpvReply) => void): void {
    if (!socket.writable) {
      onAnswer({});
      return;
    }
    requests += 1;
    pending.set(requests, onAnswer);
    watch(requests);
    socket.write(`${JSON.stringify({ command, request_id: requests })}\n`);
  }

  return {
    request: (...command) => new Promise((resolve) => send(command, ({ data }) => resolve(data))),
    send,
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
