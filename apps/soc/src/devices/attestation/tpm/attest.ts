import { invalidField } from "@kit/problem";
import { ALG_SHA256, DIGEST_BYTES, NAME_BYTES } from "./algorithms.ts";
import { type ByteReader, readStructure, writeSized, writeUint16, writeUint32 } from "./byte-reader.ts";

/** Written only by the TPM: a restricted key never signs other data with this prefix. */
export const TPM_GENERATED = 0xff54_4347;
export const ST_ATTEST_QUOTE = 0x8018;

/** TPMS_CLOCK_INFO. `clock` counts milliseconds with power; `safe` means that it has never been greater. */
export interface ClockInfo {
  clock: bigint;
  resetCount: number;
  restartCount: number;
  safe: boolean;
}

/** A set of PCRs of the SHA-256 bank, in ascending order. */
export type PcrSelection = readonly number[];

/** TPMS_ATTEST of a quote. */
export interface Quote {
  magic: number;
  type: number;
  qualifiedSigner: Uint8Array;
  extraData: Uint8Array;
  clockInfo: ClockInfo;
  firmwareVersion: bigint;
  pcrSelection: PcrSelection;
  pcrDigest: Uint8Array;
}

const SELECT_BYTES = 3;
const MAX_SELECT_BYTES = 4;

/** Parses TPMS_ATTEST. Checks magic and type first, because the rest depends on them. */
export function parseQuote(bytes: Uint8Array): Quote {
  return readStructure("quote", bytes, (reader) => {
    const magic = reader.uint32("magic");
    if (magic !== TPM_GENERATED) throw invalidField("quote.magic", "must be TPM_GENERATED", { code: "not_generated" });
    const type = reader.uint16("type");
    if (type !== ST_ATTEST_QUOTE) throw invalidField("quote.type", "must be a quote", { code: "not_a_quote" });
    return {
      magic,
      type,
      qualifiedSigner: reader.sized("qualifiedSigner", NAME_BYTES),
      extraData: reader.sized("extraData", DIGEST_BYTES),
      clockInfo: readClockInfo(reader),
      firmwareVersion: reader.uint64("firmwareVersion"),
      pcrSelection: readSelection(reader),
      pcrDigest: reader.sized("pcrDigest", DIGEST_BYTES),
    };
  });
}

function readClockInfo(reader: ByteReader): ClockInfo {
  const clock = reader.uint64("clock");
  const [resetCount, restartCount] = [reader.uint32("resetCount"), reader.uint32("restartCount")];
  const safe = reader.uint8("safe");
  if (safe > 1) throw invalidField("quote.safe", "must be 0 or 1");
  return { clock, resetCount, restartCount, safe: safe === 1 };
}

/** Parses TPML_PCR_SELECTION with exactly one bank, SHA-256. */
function readSelection(reader: ByteReader): PcrSelection {
  if (reader.uint32("pcrSelect.count") !== 1) throw invalidField("quote.pcrSelect.count", "must be 1");
  if (reader.uint16("pcrSelect.hash") !== ALG_SHA256) throw invalidField("quote.pcrSelect.hash", "must be SHA-256");
  const size = reader.uint8("pcrSelect.sizeofSelect");
  if (size > MAX_SELECT_BYTES)
    throw invalidField("quote.pcrSelect.sizeofSelect", `must be at most ${MAX_SELECT_BYTES}`);
  const bits = reader.bytes("pcrSelect.pcrSelect", size);
  return Array.from({ length: 8 * size }, (_, index) => index).filter(
    (index) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0,
  );
}

/** Writes TPMS_ATTEST; the inverse of parseQuote. */
export function marshalQuote(quote: Quote): Buffer {
  const { clock, resetCount, restartCount, safe } = quote.clockInfo;
  const [clockBytes, versionBytes, select] = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(SELECT_BYTES)];
  clockBytes.writeBigUInt64BE(clock);
  versionBytes.writeBigUInt64BE(quote.firmwareVersion);
  for (const index of quote.pcrSelection) select[index >> 3] = (select[index >> 3] ?? 0) | (1 << (index & 7));
  return Buffer.concat([
    writeUint32(quote.magic),
    writeUint16(quote.type),
    writeSized(quote.qualifiedSigner),
    writeSized(quote.extraData),
    clockBytes,
    writeUint32(resetCount),
    writeUint32(restartCount),
    Buffer.from([safe ? 1 : 0]),
    versionBytes,
    writeUint32(1),
    writeUint16(ALG_SHA256),
    Buffer.from([SELECT_BYTES]),
    select,
    writeSized(quote.pcrDigest),
  ]);
}
