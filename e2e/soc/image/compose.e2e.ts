import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../../deb.ts";
import { createSocClient, requestToken } from "../client.ts";
import { buildImage, ENGINE, type Image, podman } from "./podman.ts";

const run = promisify(execFile);
const clock = createClock();
const DATABASE_IMAGE = "localhost/manara-postgres-test:15";
/** Debian's PostgreSQL with the variables of the image that people use, which cannot be downloaded here. */
const ENTRY = `#!/bin/sh
set -e
data=/var/lib/postgresql/data bin=/usr/lib/postgresql/15/bin
install --directory --owner=postgres /run/postgresql
if [ ! -e $data/PG_VERSION ]; then
  chown postgres $data
  echo "$POSTGRES_PASSWORD" >/tmp/password && chown postgres /tmp/password
  runuser -u postgres -- $bin/initdb --auth-host=scram-sha-256 --username="$POSTGRES_USER" --pwfile=/tmp/password $data
  echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
  runuser -u postgres -- $bin/pg_ctl -D $data -o "-c listen_addresses=''" -w start
  runuser -u postgres -- createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do runuser -u postgres -- sh "$script"; done
  runuser -u postgres -- $bin/pg_ctl -D $data -w stop
fi
exec runuser -u postgres -- $bin/postgres -D $data -c listen_addresses='*'
`;

let image: Image;
let folder: string;
let port: number;

async function buildDatabaseImage(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "postgres-image-"));
  const root = join(work, "root");
  await run("mmdebstrap", ["--quiet", "--variant=minbase", "--include=postgresql-15", "bookworm", root], {
    maxBuffer: 64 * 1024 * 1024,
  });
  await writeFile(join(root, "entry"), ENTRY);
  await chmod(join(root, "entry"), 0o755);
  await run("tar", ["--create", `--file=${work}/root.tar`, `--directory=${root}`, "."]);
  await podman("import", '--change=ENTRYPOINT ["/entry"]', `${work}/root.tar`, DATABASE_IMAGE);
  await rm(work, { recursive: true });
}

const compose = async (...args: readonly string[]) =>
  run("podman-compose", ["--file", "one-box.yaml", "--project-name", "manara-test", ...args], {
    cwd: folder,
    env: { ...process.env, ...ENGINE },
    maxBuffer: 64 * 1024 * 1024,
  });

beforeAll(async () => {
  image = await buildImage();
  await buildDatabaseImage();
  folder = await mkdtemp(join(tmpdir(), "compose-"));
  await cp(join(ROOT, "packaging/soc/compose"), folder, { recursive: true });
  port = await freePort();
  const variables = {
    SOC_OWNER_PASSWORD: "owner-of-a-test",
    SOC_PASSWORD: "login-of-a-test",
    POSTGRES_IMAGE: DATABASE_IMAGE,
    SOC_IMAGE: image.name,
    SOC_HTTP_PORT: String(port),
    SOC_SYSLOG_PORT: String(await freePort()),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, ".env"), lines.join(""), { mode: 0o600 });
}, 900_000);
afterAll(async () => {
  await compose("down", "--volumes");
  await podman("network", "rm", "--force", "manara-test_default");
  await podman("rmi", "--force", DATABASE_IMAGE, image.name);
  await rm(folder, { recursive: true });
}, 120_000);

it("starts one box with its compose file: database, tables, service", async () => {
  const fromMs = clock.monotonicMs();
  await compose("up", "--detach");
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 180_000 }).toBe(true);
  console.log(`ready ${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s after podman-compose up`);
  const volume = await podman("volume", "inspect", "--format={{.Mountpoint}}", "manara-test_soc");
  const { stdout: password } = await run("cat", [join(volume, "initial-admin-password")]);
  const client = createSocClient(url, await requestToken(createSocClient(url), "admin", password.trim()));
  expect((await client.post("/cases", { title: "by compose" })).status).toBe(201);
  expect((await client.get("/system/health")).body.status).toBe("ok");
}, 300_000);
