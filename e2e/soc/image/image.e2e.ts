import { execFile } from "node:child_process";
import { chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { whyNoContainer } from "../../container.ts";
import { isFull } from "../../counts.ts";
import { createSocClient, requestToken, type SocClient } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { buildImage, type Image, podman } from "./podman.ts";

const clock = createClock();
const run = promisify(execFile);
const MAX_BYTES = 1e9;
const NAME = "manara-soc-test";
const USER = 10_001;
const DATA = "/var/lib/manara-soc";
/** Nothing that the image does not need: it may not even write to itself. */
const BARE = ["--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=host"];

const reason = await whyNoContainer();
if (reason !== undefined) console.log(`NOT RUN: the image of the SOC, because ${reason}`);
if (!isFull) console.log("NOT RUN: a second build of the image; npm run prove -- soc-image runs it");

describe.runIf(reason === undefined)("SOC image", () => {
  let image: Image;
  let database: TestDatabase;
  let volume: string;
  let owner: string;
  let login: string;

  beforeAll(async () => {
    image = await buildImage();
    database = await startDatabase();
    await database.ask("CREATE ROLE soc_login LOGIN PASSWORD 'login'");
    owner = database.url;
    login = Object.assign(new URL(owner), { username: "soc_login", password: "login" }).href;
    volume = await mkdtemp(join(tmpdir(), "soc-volume-"));
    await chown(volume, USER, USER);
  }, 900_000);
  afterAll(async () => {
    await podman("rm", "--force", "--ignore", NAME);
    await podman("rmi", "--force", image.name);
    await database.remove();
    await rm(volume, { recursive: true });
  }, 120_000);

  it("has at most 1 GB", () => {
    console.log(`${image.digest}: ${(image.bytes / 1e6).toFixed(0)} MB`);
    expect(image.bytes).toBeLessThanOrEqual(MAX_BYTES);
  });

  it.runIf(isFull)(
    "is identical, digest for digest, when built again",
    async () => {
      expect(image.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect((await buildImage()).digest).toBe(image.digest);
    },
    600_000,
  );

  it("migrates the tables as their owner and exits", async () => {
    const env = `--env=SOC_DATABASE_OWNER_URL=${owner}`;
    expect(await podman("run", "--rm", ...BARE, env, image.name, "migrate")).toBe("The database is up to date");
    await database.ask("GRANT soc_app, soc_site TO soc_login");
  });

  it("serves, stores and finds logs without root, without capabilities and on a read-only root", async () => {
    const port = await freePort();
    const env = [`SOC_DATABASE_URL=${login}`, `SOC_PORT=${port}`, "SOC_HOST=127.0.0.1"].map((each) => `--env=${each}`);
    const fromMs = clock.monotonicMs();
    await podman("run", "--detach", `--name=${NAME}`, ...BARE, ...env, `--volume=${volume}:${DATA}`, image.name);
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, { timeout: 90_000 }).toBe(true);
    console.log(`ready ${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s after podman run`);

    const pid = await podman("inspect", "--format={{.State.Pid}}", NAME);
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    for (const [field, value] of [
      ["Uid", `${USER}\t${USER}\t${USER}\t${USER}`],
      ["NoNewPrivs", "1"],
      ...["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((name) => [name, "0000000000000000"]),
    ]) {
      expect(status).toContain(`\n${field}:\t${value}\n`);
    }
    const mounts = await readFile(`/proc/${pid}/mounts`, "utf8");
    expect(mounts.split("\n").find((line) => line.split(" ")[1] === "/")).toMatch(/ ro[ ,]/);

    const password = (await readFile(join(volume, "initial-admin-password"), "utf8")).trim();
    const client = createSocClient(url, await requestToken(createSocClient(url), "admin", password));
    expect(
      (await client.post("/siem/ingest", [{ source: "test", message: "kept by the container" }])).status,
    ).toBeLessThan(300);
    const search = async ({ get }: SocClient) => (await get("/siem/logs?query=message:container")).body.items.length;
    await expect.poll(() => search(client), { timeout: 60_000 }).toBe(1);

    const stopMs = clock.monotonicMs();
    await podman("stop", "--time=15", NAME);
    console.log(`stopped in ${((clock.monotonicMs() - stopMs) / 1000).toFixed(1)} s`);
    expect(await podman("inspect", "--format={{.State.ExitCode}}", NAME)).toBe("0");
    await podman("start", NAME);
    await expect.poll(isReady, { timeout: 90_000 }).toBe(true);
    const again = createSocClient(url, await requestToken(createSocClient(url), "admin", password));
    expect(await search(again)).toBe(1);
  }, 300_000);

  it("has no shell, no package manager and no set-uid program", async () => {
    const mounted = await podman("image", "mount", image.name);
    const { stdout } = await run("sh", [
      "-c",
      `cd '${mounted}' && find . -xdev \\( -type f -perm /6000 -o -path '*bin/sh' -o -path '*bin/apt*' -o -path '*bin/dpkg*' \\)`,
    ]);
    await podman("image", "unmount", image.name);
    expect(stdout).toBe("");
  });
});
