import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../deb.ts";

const run = promisify(execFile);
/** The time of the sources; any fixed value serves a test. */
const EPOCH = "1794700800";
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;
const RUNTIME = new URL("./runc-without-limits", import.meta.url).pathname;
const SETTINGS = `[engine]
runtime = "limited"
[engine.runtimes]
limited = ["${RUNTIME}"]
[network]
network_backend = "netavark"
`;

export interface Image {
  name: string;
  digest: string;
  bytes: number;
}

/** The variable by which podman, and programs that call it, use a runtime that works where limits may not be raised. */
export const ENGINE = { CONTAINERS_CONF: writeSettings() };

function writeSettings(): string {
  const file = join(mkdtempSync(join(tmpdir(), "podman-")), "containers.conf");
  writeFileSync(file, SETTINGS);
  return file;
}

/** The name of an existing image, to repeat a test without a build. */
const GIVEN = process.env.PROVE_SOC_IMAGE;

/** The image for tests of what runs from it. */
export async function obtainImage(): Promise<string> {
  return GIVEN ?? (await buildImage()).name;
}

export async function dropImage(name: string): Promise<void> {
  if (name !== GIVEN) await podman("rmi", "--force", name);
}

/** Builds the image as a release does. */
export async function buildImage(): Promise<Image> {
  const args = [`${ROOT}packaging/dist/build-soc-image.js`, "--version=1.0.0", "--name=localhost/manara-soc-test"];
  const env = { ...process.env, ...ENGINE, SOURCE_DATE_EPOCH: EPOCH };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: MAX_BUFFER_BYTES });
  const [name = "", digest = "", bytes = ""] = stdout.trim().split(" ");
  return { name, digest, bytes: Number(bytes) };
}

/** Runs podman as root. */
export async function podman(...args: readonly string[]): Promise<string> {
  const { stdout } = await run("podman", args, { env: { ...process.env, ...ENGINE }, maxBuffer: MAX_BUFFER_BYTES });
  return stdout.trim();
}

/** Debian's servers, as `npm run image:servers` builds them. */
export async function buildServerImages(...names: readonly string[]): Promise<void> {
  const env = { ...process.env, ...ENGINE, SOURCE_DATE_EPOCH: EPOCH };
  await run(process.execPath, [`${ROOT}packaging/dist/build-server-images.js`, ...names], {
    env,
    maxBuffer: MAX_BUFFER_BYTES,
  });
}
