import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Problem } from "@kit/problem";
import { type Display, SCREEN_HEIGHT, SCREEN_WIDTH } from "../screen/display.ts";

export interface FramebufferDisplayOptions {
  /** The folder of the device files: /dev. */
  deviceFolder: string;
  /** The folder in which the kernel describes them: /sys/class/graphics. */
  sysfsFolder: string;
  /** The device file of the panel, for example /dev/fb1; the first of the right size when it is left out. */
  device?: string | undefined;
}

interface Panel {
  device: FileHandle;
  /** One picture in the format of the device: rows of `stride` bytes, 16 bits per pixel. */
  picture: Uint16Array<ArrayBuffer>;
  pixelsPerRow: number;
}

/** In the notation of the kernel. */
const PANEL_SIZE = `${SCREEN_WIDTH},${SCREEN_HEIGHT}`;
const PANEL_BITS = "16";
const MAX_STRIDE_BYTES = 65_536;

/** Writes to a Linux frame buffer of 320x240 with 16 bits per pixel, the format of small SPI panels. */
export function createFramebufferDisplay(options: FramebufferDisplayOptions): Display {
  const { deviceFolder, sysfsFolder, device: chosen } = options;
  let panel: Panel | undefined;

  async function openPanel(): Promise<Panel> {
    const name = chosen === undefined ? await findPanel(sysfsFolder) : basename(chosen);
    const stride = await readStride(join(sysfsFolder, name));
    const device = await open(join(deviceFolder, name), "r+").catch((cause: unknown) => {
      throw new Problem("failed", "display: the frame buffer cannot be opened", { cause });
    });
    return { device, picture: new Uint16Array((stride / 2) * SCREEN_HEIGHT), pixelsPerRow: stride / 2 };
  }

  return {
    async start() {
      panel ??= await openPanel();
    },

    async show({ pixels }) {
      if (!panel) throw new Problem("failed", "display: the panel is off");
      toRgb565(pixels, panel);
      await write(panel);
    },

    async close() {
      const closing = panel;
      panel = undefined;
      if (!closing) return;
      closing.picture.fill(0);
      try {
        await write(closing);
      } finally {
        await closing.device.close();
      }
    },
  };
}

/** The first frame buffer of the right size: on many boards fb0 is HDMI. Without one, the first of any size. */
async function findPanel(sysfsFolder: string): Promise<string> {
  const names = (await readdir(sysfsFolder).catch(() => [])).filter((name) => /^fb\d+$/.test(name));
  const sorted = names.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  for (const name of sorted) {
    const { size, bits } = await describePanel(join(sysfsFolder, name));
    if (size === PANEL_SIZE && bits === PANEL_BITS) return name;
  }
  return sorted[0] ?? "fb0";
}

/** In the words of the kernel. */
async function describePanel(sysfsFolder: string) {
  const read = async (name: string) => (await readFile(join(sysfsFolder, name), "latin1")).trim();
  const described = ["virtual_size", "bits_per_pixel", "stride"].map(read);
  const [size = "", bits = "", stride = ""] = await Promise.all(described).catch((cause: unknown) => {
    throw new Problem("failed", "display: there is no frame buffer", { cause });
  });
  return { size, bits, stride };
}

/** Bytes from one row to the next. */
async function readStride(sysfsFolder: string): Promise<number> {
  const { size, bits, stride } = await describePanel(sysfsFolder);
  if (size !== PANEL_SIZE || bits !== PANEL_BITS) {
    throw new Problem(
      "failed",
      `display: the panel has ${size} pixels of ${bits} bits, not ${PANEL_SIZE} of ${PANEL_BITS}`,
    );
  }
  const strideBytes = Number(stride);
  const isUsable = strideBytes % 2 === 0 && strideBytes >= SCREEN_WIDTH * 2 && strideBytes <= MAX_STRIDE_BYTES;
  if (!isUsable) throw new Problem("failed", `display: rows of ${stride} bytes cannot be written`);
  return strideBytes;
}

/** Five bits of red, six of green, five of blue, in the byte order of the machine. */
function toRgb565(pixels: Uint8Array, { picture, pixelsPerRow }: Panel): void {
  let from = 0;
  for (let y = 0; y < SCREEN_HEIGHT; y += 1) {
    const row = y * pixelsPerRow;
    for (let x = 0; x < SCREEN_WIDTH; x += 1) {
      const red = (pixels[from] ?? 0) & 0xf8;
      const green = (pixels[from + 1] ?? 0) & 0xfc;
      const blue = pixels[from + 2] ?? 0;
      picture[row + x] = (red << 8) | (green << 3) | (blue >> 3);
      from += 4;
    }
  }
}

async function write({ device, picture }: Panel): Promise<void> {
  const bytes = new Uint8Array(picture.buffer);
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await device.write(bytes, done, bytes.length - done, done);
    if (bytesWritten === 0) throw new Problem("failed", "display: the frame buffer takes no more");
    done += bytesWritten;
  }
}
