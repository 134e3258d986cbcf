import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../deb.ts";
import { podman } from "./podman.ts";

const run = promisify(execFile);
export const LOG_STORE_IMAGE = "localhost/manara-log-store-test:1";
export const COMPOSE = join(ROOT, "packaging/soc/compose/three-hosts");
const NODE = "/usr/lib/manara-soc/bin/node";
const ENGINE_ENTRY = "/usr/lib/manara-soc/soc/bundle/main-log-engine.js";

/** The product's log engine at a port, instead of a ClickHouse server, which is not available here. */
export async function buildLogStore(socImage: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "log-store-image-"));
  await cp(new URL("../cluster/log-store.mjs", import.meta.url), join(work, "log-store.mjs"));
  await mkdir(join(work, "empty"));
  const entry = [NODE, "/log-store.mjs", ENGINE_ENTRY, "/var/lib/clickhouse", "0.0.0.0", "8123"];
  await writeFile(
    join(work, "Containerfile"),
    `FROM ${socImage}
COPY log-store.mjs /log-store.mjs
COPY --chown=10001:10001 empty /var/lib/clickhouse
ENTRYPOINT ${JSON.stringify(entry)}
CMD []
`,
  );
  await podman("build", "--quiet", `--tag=${LOG_STORE_IMAGE}`, work);
  await rm(work, { recursive: true });
}

/** Keys and passwords in a folder, as an operator makes them. */
export const makeSecrets = (folder: string) => run(join(COMPOSE, "make-secrets"), { cwd: folder });
