import { crc32 } from "node:zlib";

const HEADER_BYTES = 64;
const MAGIC = 0x27051956;
const NAME_AT = 32;
/** U-Boot's numbers of Linux, arm64, a script, and no compression. */
const KIND = [5, 22, 6, 0];

/** The form in which U-Boot reads a script: what `mkimage -A arm64 -T script -C none` writes. */
export function buildBootScript(text: string, name: string, epochS: number): Buffer {
  const script = Buffer.from(text);
  const body = Buffer.alloc(8 + script.length);
  body.writeUInt32BE(script.length, 0);
  script.copy(body, 8);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(MAGIC, 0);
  header.writeUInt32BE(epochS, 8);
  header.writeUInt32BE(body.length, 12);
  header.writeUInt32BE(crc32(body), 24);
  Buffer.from(KIND).copy(header, 28);
  header.write(name, NAME_AT, HEADER_BYTES - NAME_AT, "latin1");
  header.writeUInt32BE(crc32(header), 4);
  return Buffer.concat([header, body]);
}
