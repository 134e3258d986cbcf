/** How the kernel writes `struct input_event` for this process (include/uapi/linux/input.h). */
export interface EventLayout {
  /** A `long` of the kernel has 64 bits for a 64-bit process, else 32. */
  wordBits: 32 | 64;
  isLittleEndian: boolean;
}

export interface InputEvent {
  type: number;
  code: number;
  value: number;
}

// include/uapi/linux/input-event-codes.h
export const EV_SYN = 0;
export const EV_KEY = 1;
export const EV_REL = 2;
export const EV_ABS = 3;
export const SYN_REPORT = 0;
export const SYN_DROPPED = 3;

const WIDE_ARCHITECTURES: ReadonlySet<string> = new Set(["arm64", "loong64", "ppc64", "riscv64", "s390x", "x64"]);

/** By the names that Node gives to the architecture and the byte order of this process. */
export function chooseEventLayout(architecture: string, endianness: "BE" | "LE"): EventLayout {
  return { wordBits: WIDE_ARCHITECTURES.has(architecture) ? 64 : 32, isLittleEndian: endianness === "LE" };
}

/** The time comes first, as two words; then type, code and value have eight bytes. */
export function measureEventBytes({ wordBits }: EventLayout): number {
  return wordBits / 4 + 8;
}

/** Reads whole events; an incomplete one at the end is left out. */
export function parseEvents(bytes: Uint8Array, layout: EventLayout): InputEvent[] {
  const { isLittleEndian } = layout;
  const size = measureEventBytes(layout);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / size) }, (_, index) => {
    const at = (index + 1) * size - 8;
    return {
      type: view.getUint16(at, isLittleEndian),
      code: view.getUint16(at + 2, isLittleEndian),
      value: view.getInt32(at + 4, isLittleEndian),
    };
  });
}
