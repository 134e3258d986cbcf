/**
 * The messages of pcscd's socket, as winscard_msg.h and eventhandler.h of pcsc-lite define them. All numbers have 32
 * bits in the machine's byte order, which is little-endian on every supported platform.
 */

export const COMMAND = {
  establishContext: 0x01,
  releaseContext: 0x02,
  connect: 0x04,
  disconnect: 0x06,
  transmit: 0x09,
  version: 0x11,
  waitReaderStateChange: 0x13,
  stopWaitingReaderStateChange: 0x14,
} as const;

/** Sizes of the answers. The last number of each is the result; 0 means success. */
export const ANSWER_BYTES = {
  version: 12,
  establishContext: 12,
  releaseContext: 8,
  connect: 152,
  disconnect: 12,
  transmit: 32,
  stateChange: 8,
} as const;

const SCOPE_SYSTEM = 2;
const SHARE_SHARED = 2;
const PROTOCOL_T0_OR_T1 = 3;
const LEAVE_CARD = 0;
const CARD_PRESENT = 4;
/** The size of SCARD_IO_REQUEST in a client with 64-bit longs. */
const IO_REQUEST_BYTES = 16;
/** The longest answer to a short command: 256 bytes and the status word. */
export const MAX_RESPONSE_BYTES = 258;

const READER_NAME_BYTES = 128;
const READER_BYTES = 184;
const MAX_READERS = 16;
export const READERS_BYTES = READER_BYTES * MAX_READERS;

export function encodeMessage(command: number, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([encodeNumbers(body.length, command), body]);
}

export function versionRequest(major: number, minor: number): Buffer {
  return encodeMessage(COMMAND.version, encodeNumbers(major, minor, 0));
}

export function establishRequest(): Buffer {
  return encodeMessage(COMMAND.establishContext, encodeNumbers(SCOPE_SYSTEM, 0, 0));
}

export function releaseRequest(context: number): Buffer {
  return encodeMessage(COMMAND.releaseContext, encodeNumbers(context, 0));
}

export function connectRequest(context: number, reader: string): Buffer {
  const name = Buffer.alloc(READER_NAME_BYTES);
  name.write(reader, 0, READER_NAME_BYTES - 1);
  const rest = encodeNumbers(SHARE_SHARED, PROTOCOL_T0_OR_T1, 0, 0, 0);
  return encodeMessage(COMMAND.connect, Buffer.concat([encodeNumbers(context), name, rest]));
}

export function disconnectRequest(card: number): Buffer {
  return encodeMessage(COMMAND.disconnect, encodeNumbers(card, LEAVE_CARD, 0));
}

/** The command for the card follows this header and is not part of the announced size. */
export function transmitRequest(card: number, protocol: number, apdu: Buffer): Buffer {
  const sending = [protocol, IO_REQUEST_BYTES, apdu.length];
  const receiving = [PROTOCOL_T0_OR_T1, IO_REQUEST_BYTES, MAX_RESPONSE_BYTES];
  const description = encodeNumbers(card, ...sending, ...receiving, 0);
  return Buffer.concat([encodeMessage(COMMAND.transmit, description), apdu]);
}

export function isSuccess(answer: Buffer): boolean {
  return answer.readUInt32LE(answer.length - 4) === 0;
}

export function decodeVersion(answer: Buffer): { major: number; minor: number } {
  return { major: answer.readInt32LE(0), minor: answer.readInt32LE(4) };
}

export function decodeContext(answer: Buffer): number {
  return answer.readUInt32LE(4);
}

export function decodeConnection(answer: Buffer): { card: number; protocol: number } {
  return { card: answer.readUInt32LE(140), protocol: answer.readUInt32LE(144) };
}

/** The number of bytes from the card that follow the answer. */
export function decodeResponseSize(answer: Buffer): number {
  return answer.readUInt32LE(24);
}

export interface PcscReader {
  name: string;
  isCardPresent: boolean;
  /** Incremented whenever a card is placed or removed. */
  eventCounter: number;
}

/** pcscd sends all its reader slots, used or not. */
export function decodeReaders(places: Buffer): PcscReader[] {
  return Array.from({ length: MAX_READERS }, (_, index) =>
    decodeReader(places.subarray(index * READER_BYTES, (index + 1) * READER_BYTES)),
  ).filter(({ name }) => name !== "");
}

function decodeReader(place: Buffer): PcscReader {
  const name = place.subarray(0, READER_NAME_BYTES);
  const end = name.indexOf(0);
  return {
    name: name.toString("utf8", 0, end < 0 ? READER_NAME_BYTES : end),
    eventCounter: place.readUInt32LE(128),
    isCardPresent: (place.readUInt32LE(132) & CARD_PRESENT) !== 0,
  };
}

function encodeNumbers(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, index * 4);
  return bytes;
}
