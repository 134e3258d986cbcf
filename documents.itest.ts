import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { CreateAlertRequest, SEVERITIES } from "./apps/soc/src/alerts/alerts/alerts.schema.ts";
import { checkFile } from "./apps/soc/src/detection/rule-files/rule-file.ts";
import { readHttpAdapters } from "./apps/soc/src/foundation/outbound/http-adapters.ts";
import { buildSignatureHeaders } from "./apps/soc/src/foundation/outbound/signature.ts";
import { ADMIN_PASSWORD, wholePlatform } from "./apps/soc/testing/harness/whole-platform.ts";
import { freePort, startProcess } from "./packages/testing/src/process.ts";

// Gives the examples of docs/guides to the product's own checks. The second word of a fence says what the block is.

const ROOT = import.meta.dirname;
const GUIDES = join(ROOT, "docs/guides");
const BLOCK = /^```(\w+) (\w+)\n([\s\S]*?)^```$/gm;
const run = promisify(execFile);

interface Example {
  page: string;
  kind: string;
  text: string;
}

async function readExamples(): Promise<Example[]> {
  const pages = (await readdir(GUIDES)).toSorted();
  const texts = await Promise.all(
    pages.map(async (page) => ({ page, text: await readFile(join(GUIDES, page), "utf8") })),
  );
  return texts.flatMap(({ page, text }) =>
    [...text.matchAll(BLOCK)].map(([, , kind = "", block = ""]) => ({ page, kind, text: block })),
  );
}

const examples = await readExamples();
const find = (...kinds: string[]) => examples.filter(({ kind }) => kinds.includes(kind));
function findText(kind: string): string {
  const [only] = find(kind);
  if (!only) throw new Error(`no example is marked ${kind}`);
  return only.text;
}

const folder = await mkdtemp(join(tmpdir(), "guides-"));
afterAll(() => rm(folder, { recursive: true }));

it("knows every mark of an example", () => {
  const kinds = [...new Set(examples.map(({ kind }) => kind))].toSorted();
  expect(kinds).toEqual(["adapter", "adapters", "alert", "driver", "playbook", "rule", "sigma"]);
});

describe("the guides", () => {
  it.each(find("rule", "sigma"))("$page: the rule is one that the import takes", ({ page, text }) => {
    expect(checkFile({ name: page, text })).toMatchObject({ state: "read" });
  });

  it("have playbooks that the service finds valid", async () => {
    const { app, close } = await wholePlatform("dummy");
    const payload = { username: "admin", password: ADMIN_PASSWORD };
    const signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
    const headers = { authorization: `Bearer ${signedIn.json<{ access_token: string }>().access_token}` };
    for (const { page, text } of find("playbook")) {
      const request = {
        method: "POST",
        url: "/api/v1/soar/playbooks/validate",
        headers,
        payload: { yaml: text },
      } as const;
      const answer = await app.inject(request);
      expect([page, answer.json()]).toMatchObject([page, { valid: true, critical: true, problems: [] }]);
    }
    await close();
  }, 60_000);

  it("have an alert of the fields that the service takes", () => {
    const alert: Record<string, string> = JSON.parse(findText("alert"));
    const { properties, required } = CreateAlertRequest;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(alert)));
    expect(Object.keys(alert)).toEqual(expect.arrayContaining(required));
    expect(SEVERITIES).toContain(alert.severity);
  });

  it("have an adapter that verifies orders and carries each out once", async () => {
    const key = "0123456789abcdef0123456789abcdef";
    await writeFile(join(folder, "adapters.json"), findText("adapters"));
    await writeFile(join(folder, "firewall.key"), `${key}\n`, { mode: 0o600 });
    const [listed] = await readHttpAdapters(join(folder, "adapters.json"));
    expect(listed).toMatchObject({ name: "firewall", key: Buffer.from(key) });

    await writeFile(join(folder, "adapter.mjs"), findText("adapter"));
    const port = await freePort();
    const args = [join(folder, "adapter.mjs"), join(folder, "firewall.key"), String(port)];
    const adapter = await startProcess({ command: process.execPath, args, readyWhen: /^ready$/m });
    const url = `http://127.0.0.1:${port}/block`;
    const send = async (signingKey: string, at = new Date()) => {
      const body = JSON.stringify({ address: "203.0.113.7" });
      const signed = buildSignatureHeaders(Buffer.from(signingKey), { method: "POST", url, body, at });
      const answer = await fetch(url, { method: "POST", body, headers: { ...signed, "idempotency-key": "request:1" } });
      return answer.status;
    };
    expect([await send(key), await send(key)]).toEqual([200, 200]);
    expect(await send("another key of the same length..")).toBe(401);
    expect(await send(key, new Date(Date.now() - 301_000))).toBe(401);
    await adapter.stop();
    expect(adapter.output().match(/block 203\.0\.113\.7/g)).toHaveLength(1);
  });

  it("have a driver that compiles as part of the player and reads what its page says", async () => {
    const player = join(folder, "apps/player/src");
    await mkdir(join(player, "drivers"), { recursive: true });
    await symlink(join(ROOT, "apps/player/src/power"), join(player, "power"));
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await cp(join(ROOT, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
    const path = join(player, "drivers/file-battery.ts");
    await writeFile(path, findText("driver"));
    const compilerOptions = { composite: false, declaration: false, noEmit: true };
    const config = {
      extends: "./tsconfig.base.json",
      compilerOptions,
      files: ["apps/player/src/drivers/file-battery.ts"],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    await run(join(ROOT, "node_modules/.bin/tsc"), ["--pretty", "false"], { cwd: folder });

    const driver: { createFileBattery(path: string): { read(): Promise<object> } } = await import(path);
    const gauge = driver.createFileBattery(join(folder, "battery"));
    await expect(gauge.read()).rejects.toThrow("battery: the gauge cannot be read");
    await writeFile(join(folder, "battery"), "81.6 3.97 1\n");
    expect(await gauge.read()).toEqual({ present: true, voltage: 3.97, percentage: 82, charging: true });
    await writeFile(join(folder, "battery"), "warming up\n");
    await expect(gauge.read()).rejects.toThrow("battery: the gauge wrote something else");
  }, 60_000);
});
