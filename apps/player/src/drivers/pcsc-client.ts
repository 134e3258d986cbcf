import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import {
  ANSWER_BYTES,
  COMMAND,
  connectRequest,
  decodeConnection,
  decodeContext,
  decodeReaders,
  decodeResponseSize,
  decodeVersion,
  disconnectRequest,
  encodeMessage,
  establishRequest,
  isSuccess,
  MAX_RESPONSE_BYTES,
  type PcscReader,
  READERS_BYTES,
  releaseRequest,
  transmitRequest,
  versionRequest,
} from "./pcsc-messages.ts";

export interface PcscDeps {
  /** The path of pcscd's socket. */
  socketPath: string;
  clock: Pick<Clock, "deadline">;
}

/** Reads the readers repeatedly. Every method rejects with a Problem once pcscd is gone or does not answer. */
export interface PcscWatch {
  readers(): Promise<PcscReader[]>;
  /** Resolves when the readers may have changed; sometimes also when they have not. */
  changed(): Promise<void>;
  close: () => void;
}

const MAJOR = 4;
/** These versions differ only in commands that are not used here. Newer ones accept clients of an older version. */
const FIRST_MINOR = 4;
const LAST_MINOR = 5;
const ANSWER_TIMEOUT_MS = 5000;
const SILENCE_MS = 30_000;

export async function openPcscWatch(deps: PcscDeps): Promise<PcscWatch> {
  const channel = await openChannel(deps);
  return {
    async readers() {
      channel.send(encodeMessage(COMMAND.waitReaderStateChange));
      return decodeReaders(await channel.answer(READERS_BYTES));
    },

    async changed() {
      if (await channel.read(ANSWER_BYTES.stateChange, SILENCE_MS)) return;
      // Proves that pcscd is alive. If a reader changes at this moment, pcscd sends the change instead of the answer,
      // in the same form.
      channel.send(encodeMessage(COMMAND.stopWaitingReaderStateChange));
      await channel.answer(ANSWER_BYTES.stateChange);
    },

    close: channel.close,
  };
}

/** Sends one command to the card in the reader. Undefined when the card is gone or does not respond. */
export async function transmitPcsc(deps: PcscDeps, reader: string, apdu: Buffer): Promise<Buffer | undefined> {
  // When a step fails, pcscd cleans up as soon as the connection ends.
  const channel = await openChannel(deps);
  try {
    const established = await channel.ask(establishRequest(), ANSWER_BYTES.establishContext);
    if (!isSuccess(established)) throw new Problem("failed", "nfc: pcscd has no place for another client");
    const context = decodeContext(established);
    const connected = await channel.ask(connectRequest(context, reader), ANSWER_BYTES.connect);
    if (!isSuccess(connected)) return undefined;
    const { card, protocol } = decodeConnection(connected);
    const response = await transmit(channel, transmitRequest(card, protocol, apdu));
    await channel.ask(disconnectRequest(card), ANSWER_BYTES.disconnect);
    await channel.ask(releaseRequest(context), ANSWER_BYTES.releaseContext);
    return response;
  } finally {
    channel.close();
  }
}

async function transmit(channel: Channel, request: Buffer): Promise<Buffer | undefined> {
  const answer = await channel.ask(request, ANSWER_BYTES.transmit);
  const size = decodeResponseSize(answer);
  if (!isSuccess(answer) || size === 0) return undefined;
  if (size > MAX_RESPONSE_BYTES) throw new Problem("failed", "nfc: pcscd answered more than it was asked for");
  return channel.answer(size);
}

interface Channel {
  send(message: Buffer): void;
  /**
   * Reads exactly this many bytes; undefined when they do not arrive in time. Bytes that arrived stay for the next
   * read.
   */
  read(sizeBytes: number, withinMs: number): Promise<Buffer | undefined>;
  /** The same, but rejects when the bytes do not arrive in time. */
  answer(sizeBytes: number): Promise<Buffer>;
  ask(message: Buffer, sizeBytes: number): Promise<Buffer>;
  close: () => void;
}

async function openChannel({ socketPath, clock }: PcscDeps): Promise<Channel> {
  const socket = connect(socketPath);
  try {
    await once(socket, "connect", { signal: clock.deadline(ANSWER_TIMEOUT_MS) });
  } catch (cause) {
    socket.destroy();
    throw new Problem("failed", "nfc: pcscd cannot be reached", { cause });
  }
  // Every error is followed by a close event, which ends all waits.
  socket.on("error", () => undefined);

  const channel: Channel = {
    send: (message) => socket.write(message),

    async read(sizeBytes, withinMs) {
      const deadline = clock.deadline(withinMs);
      for (;;) {
        // Node reads no further ahead than this requests, so memory does not grow.
        const bytes = takeFrom(socket, sizeBytes);
        if (bytes) return bytes;
        if (socket.destroyed || socket.readableEnded) throw new Problem("failed", "nfc: pcscd has gone");
        if (deadline.aborted) return undefined;
        await nextBytes(socket, deadline);
      }
    },

    async answer(sizeBytes) {
      const bytes = await channel.read(sizeBytes, ANSWER_TIMEOUT_MS);
      if (!bytes) throw new Problem("failed", "nfc: pcscd does not answer");
      return bytes;
    },

    ask(message, sizeBytes) {
      channel.send(message);
      return channel.answer(sizeBytes);
    },

    close: () => socket.destroy(),
  };
  try {
    await agreeOnVersion(channel);
  } catch (error) {
    channel.close();
    throw error;
  }
  return channel;
}

async function agreeOnVersion(channel: Channel): Promise<void> {
  const answer = await channel.ask(versionRequest(MAJOR, FIRST_MINOR), ANSWER_BYTES.version);
  if (isSuccess(answer)) return;
  const { major, minor } = decodeVersion(answer);
  const isKnown = major === MAJOR && minor >= FIRST_MINOR && minor <= LAST_MINOR;
  if (isKnown && isSuccess(await channel.ask(versionRequest(major, minor), ANSWER_BYTES.version))) return;
  throw new Problem("failed", `nfc: pcscd speaks version ${major}:${minor}, which is not known here`);
}

/** Reads all of the bytes or none. */
function takeFrom(socket: Socket, sizeBytes: number): Buffer | undefined {
  const bytes: unknown = socket.read(sizeBytes);
  return Buffer.isBuffer(bytes) && bytes.length === sizeBytes ? bytes : undefined;
}

/** Resolves when more bytes can be read, when the stream has ended, or on a timeout. */
function nextBytes(socket: Socket, deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      socket.off("readable", wake);
      socket.off("close", wake);
      deadline.removeEventListener("abort", wake);
      resolve();
    };
    socket.on("readable", wake);
    socket.on("close", wake);
    deadline.addEventListener("abort", wake);
  });
}
