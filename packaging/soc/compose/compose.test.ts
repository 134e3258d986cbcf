import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL("./three-hosts/", import.meta.url));
const DOCUMENT = new URL("../../../docs/operations/soc-containers.md", import.meta.url);
const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".yaml"));
const read = (name: string) => readFile(join(FOLDER, name), "utf8");
/** An image of another party, which needs to write where it likes. */
const FOREIGN = "log-store";

describe("compose files of three hosts", () => {
  it.each(files)("give the services in %s no unnecessary rights", async (name) => {
    const { services } = parse(await read(name), { merge: true });
    // In `devices.yaml` are additions to the services of `host.yaml`.
    const own = Object.entries<Record<string, unknown>>(services).filter(
      ([service, { image }]) => image !== undefined && service !== FOREIGN,
    );
    expect(own.length).toBe({ "log-store.yaml": 0, "devices.yaml": 0, "host.yaml": 4 }[name] ?? 2);
    for (const [service, settings] of own) {
      expect(settings, service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges"],
      });
    }
  });

  it("read only variables that the documents or the password script name", async () => {
    const named = (await readFile(DOCUMENT, "utf8")) + (await read("make-secrets"));
    const texts = await Promise.all(files.map(read));
    // Without a default; with one it is a choice that most leave.
    const needed = new Set([...texts.join("").matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, variable = ""]) => variable));
    expect(needed.size).toBeGreaterThan(10);
    expect([...needed].filter((variable) => !named.includes(variable))).toEqual([]);
  });

  it("include a script that creates keys readable only by their owner", async () => {
    const folder = await mkdtemp(join(tmpdir(), "secrets-"));
    await run(join(FOLDER, "make-secrets"), { cwd: folder }).catch((error: unknown) => {
      // Only root can give the files to the user of the image.
      expect(String(error)).toContain("chown");
    });
    const { stdout } = await run("find", ["secrets", "-type", "f", "-printf", "%f %m %s\n"], { cwd: folder });
    expect(
      stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => line.replace(/^(devices-ca.pem 400) .*/, "$1"))
        .toSorted(),
    ).toEqual(["channels.key 400 32", "devices-ca.pem 400", "ledger.key 400 119"]);
    await rm(folder, { recursive: true, force: true });
  });
});
