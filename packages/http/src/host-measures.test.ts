import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listHostMeasures } from "./host-measures.ts";

const OPENSSL = "openssl";

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "host-measures-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function readAll(deps: Parameters<typeof listHostMeasures>[0]) {
  const read = listHostMeasures(deps).map(async (measure) => [measure.name, await measure.read()] as const);
  return Object.fromEntries(await Promise.all(read));
}

it("returns the free space of each storage like df and nothing for a missing one", async () => {
  const data = await makeFolder();
  const given = { folders: { data, card: join(data, "missing") }, certificates: () => ({}) };
  const df = execFileSync("df", ["--block-size=1", "--output=size", data], { encoding: "utf8" });
  const { storage_free_bytes, storage_size_bytes } = await readAll(given);
  expect(storage_size_bytes).toEqual({ data: Number(df.split("\n")[1]) });
  expect(storage_free_bytes).toEqual({ data: expect.any(Number) });
  expect(Object(storage_free_bytes).data).toBeLessThanOrEqual(Object(storage_size_bytes).data);
});

it("returns the expiry of the certificate in use, even after its replacement, and nothing without TLS", async () => {
  const folder = await makeFolder();
  const issue = async (days: number) => {
    const [key, cert] = [join(folder, "key"), join(folder, "cert")];
    const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", key, "-out", cert];
    execFileSync(OPENSSL, ["req", "-x509", "-nodes", "-subj", "/CN=a", "-days", String(days), ...made], {
      stdio: "ignore",
    });
    const end = execFileSync(OPENSSL, ["x509", "-enddate", "-noout", "-in", cert], { encoding: "utf8" });
    return { cert: await readFile(cert), endS: Date.parse(end.replace("notAfter=", "")) / 1000 };
  };
  let current = await issue(30);
  const given = { folders: {}, certificates: () => ({ https: current, syslog: undefined }) };
  expect((await readAll(given)).certificate_expiry_timestamp_seconds).toEqual({ https: current.endS });
  current = await issue(60);
  expect((await readAll(given)).certificate_expiry_timestamp_seconds).toEqual({ https: current.endS });
});
