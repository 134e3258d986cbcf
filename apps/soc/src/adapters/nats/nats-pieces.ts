import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";

/** The header of a message whose body is compressed, and its value. */
export const ENCODING_HEADER = "Manara-Encoding";
export const PACKED = "br";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const QUALITY = 1;
/** More than the largest message has before compression; a decompression bomb is refused. */
const MAX_BYTES = 64 * 1024 * 1024;

export function encodePiece(text: string): Promise<Buffer> {
  return compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
}

export async function decodePiece(body: Uint8Array): Promise<string> {
  return (await decompress(body, { maxOutputLength: MAX_BYTES })).toString("utf8");
}
