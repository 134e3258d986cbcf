import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { describeDisplay } from "../../testing/display.contract.ts";
import { createFramebufferDisplay } from "./framebuffer-display.ts";

const MEMORY_BYTES = 704 * 240;

type FramebufferAttributes = Partial<Record<"virtual_size" | "bits_per_pixel" | "stride", string>>;

/** Each frame buffer is a file of fixed size, and three files in which the kernel describes it. */
async function makeFramebuffers(panels: Readonly<Record<string, FramebufferAttributes>>) {
  const folder = await mkdtemp(join(tmpdir(), "framebuffer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const sysfsFolder = join(folder, "sys");
  const deviceFolder = join(folder, "dev");
  await mkdir(deviceFolder);
  await mkdir(sysfsFolder);
  // The kernel lists its console here as well.
  await mkdir(join(sysfsFolder, "fbcon"));
  for (const [panel, described] of Object.entries(panels)) {
    const files = { virtual_size: "320,240\n", bits_per_pixel: "16\n", stride: "640\n", ...described };
    await mkdir(join(sysfsFolder, panel));
    for (const [name, text] of Object.entries(files)) await writeFile(join(sysfsFolder, panel, name), text);
    await writeFile(join(deviceFolder, panel), Buffer.alloc(MEMORY_BYTES, 0xff));
  }
  return { deviceFolder, sysfsFolder };
}

const makeFramebuffer = (described: FramebufferAttributes = {}) => makeFramebuffers({ fb0: described });
const readPanel = ({ deviceFolder }: { deviceFolder: string }, name = "fb0") => readFile(join(deviceFolder, name));
const HDMI = { virtual_size: "1920,1080\n", bits_per_pixel: "32\n", stride: "7680\n" };

describe.each([640, 704])("with rows of %i bytes", (stride) => {
  describeDisplay("frame buffer", async () => {
    const files = await makeFramebuffer({ stride: `${stride}\n` });
    return {
      display: createFramebufferDisplay(files),
      async look() {
        const bytes = await readPanel(files);
        expect(bytes).toHaveLength(MEMORY_BYTES);
        return Array.from({ length: 320 * 240 }, (_, index) => {
          const pixel = bytes.readUInt16LE(Math.floor(index / 320) * stride + (index % 320) * 2);
          return [(pixel >> 11) << 3, ((pixel >> 5) & 63) << 2, (pixel & 31) << 3] as const;
        });
      },
    };
  });
});

it("writes five bits of red, six of green and five of blue", async () => {
  const files = await makeFramebuffer();
  const display = createFramebufferDisplay(files);
  await display.start();
  const colors = [
    [255, 0, 0, 0xf800],
    [0, 255, 0, 0x07e0],
    [0, 0, 255, 0x001f],
    [255, 255, 255, 0xffff],
    [8, 4, 8, 0x0821],
  ];
  const pixels = new Uint8Array(320 * 240 * 4);
  for (const [index, [red = 0, green = 0, blue = 0]] of colors.entries()) pixels.set([red, green, blue], index * 4);
  await display.show({ pixels });
  const bytes = await readPanel(files);
  expect(colors.map((_, index) => bytes.readUInt16LE(index * 2))).toEqual(colors.map(([, , , word]) => word));
  await display.close();
});

it.each([
  [{ virtual_size: "480,320\n" }, "display: the panel has 480,320 pixels of 16 bits, not 320,240 of 16"],
  [{ bits_per_pixel: "32\n" }, "display: the panel has 320,240 pixels of 32 bits, not 320,240 of 16"],
  [{ stride: "600\n" }, "display: rows of 600 bytes cannot be written"],
  [{ stride: "641\n" }, "display: rows of 641 bytes cannot be written"],
  [{ stride: "many\n" }, "display: rows of many bytes cannot be written"],
])("does not start on a panel with %j", async (described, message) => {
  const display = createFramebufferDisplay(await makeFramebuffer(described));
  await expect(display.start()).rejects.toMatchObject({ kind: "failed", message });
  await display.close();
});

it("does not start without a panel, and reveals no path", async () => {
  const files = await makeFramebuffer();
  const withoutDevice = createFramebufferDisplay({ ...files, deviceFolder: join(files.deviceFolder, "missing") });
  await expect(withoutDevice.start()).rejects.toThrow(/^display: the frame buffer cannot be opened$/);
  const withoutSysfs = createFramebufferDisplay({ ...files, sysfsFolder: join(files.sysfsFolder, "missing") });
  await expect(withoutSysfs.start()).rejects.toThrow(/^display: there is no frame buffer$/);
});

it("uses the frame buffer of the panel's size, although fb0 is HDMI", async () => {
  const files = await makeFramebuffers({ fb0: HDMI, fb10: {}, fb2: {} });
  const display = createFramebufferDisplay(files);
  await display.start();
  await display.show({ pixels: new Uint8Array(320 * 240 * 4) });
  expect((await readPanel(files, "fb2")).subarray(0, 640 * 240).every((byte) => byte === 0)).toBe(true);
  for (const other of ["fb0", "fb10"])
    expect((await readPanel(files, other)).every((byte) => byte === 0xff)).toBe(true);
  await display.close();
});

it("uses the frame buffer that is named, although another one also fits", async () => {
  const files = await makeFramebuffers({ fb0: {}, fb1: {} });
  const display = createFramebufferDisplay({ ...files, device: "/dev/fb1" });
  await display.start();
  await display.show({ pixels: new Uint8Array(320 * 240 * 4) });
  expect((await readPanel(files, "fb0")).every((byte) => byte === 0xff)).toBe(true);
  expect((await readPanel(files, "fb1"))[0]).toBe(0);
  await display.close();
});

it("names the size of the first frame buffer when none fits", async () => {
  const display = createFramebufferDisplay(await makeFramebuffers({ fb0: HDMI, fb1: { virtual_size: "480,320\n" } }));
  await expect(display.start()).rejects.toThrow("display: the panel has 1920,1080 pixels of 32 bits");
});
