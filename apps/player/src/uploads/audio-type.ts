/** A part of the file; shorter when the file ends before. */
type ReadPart = (position: number, length: number) => Promise<Buffer>;

export type AudioType = ".mp3" | ".flac" | ".ogg" | ".opus" | ".m4a" | ".wav";

const HEAD_BYTES = 64;
/** How far behind its tag an MP3 may begin: some programs pad the tag with zeros. */
const MAX_PADDING_BYTES = 4096;
const FRAMES_TO_SEE = 3;
const MAX_FRAME_BYTES = 2881;
const SEEN_BYTES = MAX_PADDING_BYTES + FRAMES_TO_SEE * MAX_FRAME_BYTES;
/** From the first bytes of an MPEG-4 file; "qt  " and those of pictures and films are not among them. */
const M4A_BRANDS = /^(?:M4A |M4B |mp4[12]|isom|iso[2-6]|dash|MSNV)$/;

/** A file of which the first `arrivedBytes` can be read; perhaps all. */
export interface ArrivedFile {
  read: ReadPart;
  arrivedBytes: number;
  isWhole: boolean;
}

/**
 * What the library can play, by the content of the file; undefined for anything else, and "unsure" until enough of it
 * has arrived.
 */
export async function detectAudio(file: ArrivedFile): Promise<AudioType | "unsure" | undefined> {
  const head = await file.read(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES && !file.isWhole) return "unsure";
  const mark = head.toString("latin1", 0, 4);
  if (mark === "fLaC") return ".flac";
  if (mark === "RIFF") return head.toString("latin1", 8, 12) === "WAVE" ? ".wav" : undefined;
  if (mark === "OggS") return detectOgg(head);
  if (head.toString("latin1", 4, 8) === "ftyp") {
    return M4A_BRANDS.test(head.toString("latin1", 8, 12)) ? ".m4a" : undefined;
  }
  return detectBehindTag(file, measureTag(head));
}

async function detectBehindTag(
  { read, arrivedBytes, isWhole }: ArrivedFile,
  tagBytes: number,
): Promise<AudioType | "unsure" | undefined> {
  if (!isWhole && arrivedBytes < tagBytes + SEEN_BYTES) return "unsure";
  const behind = await read(tagBytes, SEEN_BYTES);
  if (tagBytes > 0 && behind.toString("latin1", 0, 4) === "fLaC") return ".flac";
  return hasFrames(behind) ? ".mp3" : undefined;
}

/** The first page of an Ogg file names its codec (RFC 3533, RFC 7845). */
function detectOgg(head: Buffer): AudioType | undefined {
  const codec = head.toString("latin1", 27 + (head[26] ?? 0));
  if (codec.startsWith("OpusHead")) return ".opus";
  return codec.startsWith("\x01vorbis") || codec.startsWith("\x7fFLAC") ? ".ogg" : undefined;
}

/** The length of an ID3v2 tag at the beginning (id3.org, section 3.1); 0 without one. */
function measureTag(head: Buffer): number {
  if (head.toString("latin1", 0, 3) !== "ID3" || head.length < 10) return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
  return size + (hasFooter ? 20 : 10);
}

function hasFrames(bytes: Buffer): boolean {
  for (let at = 0; at < MAX_PADDING_BYTES && at + 4 <= bytes.length; at += 1) {
    if (bytes[at] === 0xff && isRunOfFrames(bytes, at)) return true;
  }
  return false;
}

/** One frame may be chance, three that follow each other are not; a very short file may end before. */
function isRunOfFrames(bytes: Buffer, start: number): boolean {
  let at = start;
  for (let frame = 0; frame < FRAMES_TO_SEE; frame += 1) {
    if (frame > 0 && at >= bytes.length) return true;
    const length = at + 4 <= bytes.length ? measureFrame(bytes.readUInt32BE(at)) : undefined;
    if (length === undefined) return false;
    at += length;
  }
  return true;
}

const KBITS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBITS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const HERTZ_MPEG1 = [44_100, 48_000, 32_000];
const MPEG1 = 3;
const MPEG2 = 2;
const MPEG25 = 0;
const LAYER_III = 1;

/** The length of a layer III frame by its header (ISO 11172-3, section 2.4.1.3); undefined for other bytes. */
function measureFrame(header: number): number | undefined {
  const bits = (shift: number, count: number) => (header >>> shift) & ((1 << count) - 1);
  const version = bits(19, 2);
  if (bits(21, 11) !== 0x7ff || ![MPEG1, MPEG2, MPEG25].includes(version) || bits(17, 2) !== LAYER_III) {
    return undefined;
  }
  const kbits = (version === MPEG1 ? KBITS_MPEG1 : KBITS_MPEG2)[bits(12, 4)];
  const hertz = HERTZ_MPEG1[bits(10, 2)];
  if (!kbits || hertz === undefined) return undefined;
  const [slots, divisor] = version === MPEG1 ? [144, 1] : [72, version === MPEG2 ? 2 : 4];
  return Math.floor((slots * kbits * 1000) / (hertz / divisor)) + bits(9, 1);
}
