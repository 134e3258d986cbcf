import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";
import { expect, it } from "vitest";
import { type CommandEnd, runCommand } from "../command.ts";
import { makeCard } from "./card.ts";
import { startSimulatedForTest } from "./simulator.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const COMMANDS = ["start", "token", "doctor", "backup", "restore", "simulate", "completion bash"];

async function startDevice() {
  const card = await makeCard({ reciters: { Husary: [1] } });
  const player = await startSimulatedForTest(card);
  const { port, dataFolder } = player.service;
  const env = { PLAYER_PORT: String(port), PLAYER_DATA_DIR: dataFolder, PLAYER_CARD_DIR: card };
  const run = (words: string, input?: string): Promise<CommandEnd> =>
    runCommand("player", words.split(" "), env, input);
  return { ...player, env, run };
}

it("describes itself and every command with its exit codes", async () => {
  const { code, out } = await runCommand("player", ["--help"]);
  expect(code).toBe(0);
  for (const name of COMMANDS) {
    expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
    const help = await runCommand("player", [...name.split(" "), "--help"]);
    expect(help, name).toMatchObject({ code: 0, err: "" });
    expect(help.out).toMatch(new RegExp(`^Usage: manara-player ${name}[\\s\\S]*Exit codes:\n  0  done`));
  }
  expect(await runCommand("player", [])).toEqual({ code: 2, out: "", err: out });
  expect(await runCommand("player", ["fly"])).toMatchObject({ code: 2, err: expect.stringContaining("'fly'") });
  expect((await runCommand("player", ["--version"])).out).toBe("manara-player 1.0.0\n");
});

it("prints the token, replaces it, and names a wrong variable", async () => {
  const PLAYER_DATA_DIR = await mkdtemp(join(tmpdir(), "player-"));
  const run = (...words: string[]) => runCommand("player", ["token", ...words], { PLAYER_DATA_DIR });
  const first = await run();
  expect(first).toEqual({ code: 0, out: expect.stringMatching(/^[0-9a-f]{64}\n$/), err: "" });
  expect(JSON.parse((await run("--json")).out)).toEqual({ token: first.out.trim() });
  const second = await run("--new");
  expect(second).toMatchObject({ code: 0, err: expect.stringContaining("restarted") });
  expect(second.out).not.toBe(first.out);
  expect(await readFile(join(PLAYER_DATA_DIR, "token"), "utf8")).toBe(second.out);
  const refused = await runCommand("player", ["token"], { PLAYER_PORT: "none" });
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining("PLAYER_PORT: must be") });
});

it("starts the service in the foreground", async () => {
  const started = await startProcess({
    command: process.execPath,
    args: [join(ROOT, "apps/player/bundle/main-command.js"), "start"],
    env: { PLAYER_PORT: String(await freePort()), PLAYER_DATA_DIR: await mkdtemp(join(tmpdir(), "player-")) },
    readyWhen: /Manara Player is ready at https:/,
    withinMs: 60_000,
  });
  expect(await started.stop()).toBe(0);
});

it("reports a healthy device and names the faults of another one", async () => {
  const { service, run, env } = await startDevice();
  const healthy = await run("doctor --json");
  expect(healthy.code, healthy.out).toBe(0);
  expect(JSON.parse(healthy.out).healthy).toBe(true);
  expect((await run("doctor")).out).toMatch(/^ok +service: version 1\.0\.0/m);

  await writeFile(join(service.dataFolder, "token"), `${"0".repeat(64)}\n`, { mode: 0o600 });
  const strange = await run("doctor");
  expect(strange.code).toBe(1);
  expect(strange.out).toMatch(/^FAILED +token and clock: the service has another token/m);

  await service.stop();
  const stopped = await run("doctor");
  expect(stopped.code).toBe(1);
  expect(stopped.out).toMatch(/^FAILED +service: the service does not answer/m);
  const wrong = await runCommand("player", ["doctor"], { ...env, PLAYER_TLS: "maybe" });
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(/^FAILED +configuration: PLAYER_TLS: must be/m);
});

it("writes a backup and restores it", async () => {
  const { client, service, run } = await startDevice();
  expect((await client.post("/api/settings", { device_name: "Minaret" })).status).toBe(200);
  const file = join(service.dataFolder, "kept.json");
  expect(await run(`backup ${file}`)).toEqual({ code: 0, out: "", err: "" });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const kept = await readFile(file, "utf8");
  expect(kept).not.toContain(client.token);
  expect((await run("backup")).out).toBe(kept);
  expect(await run(`backup ${file}`)).toMatchObject({ code: 2, err: expect.stringContaining("exists already") });

  expect((await client.post("/api/settings", { device_name: "Other" })).status).toBe(200);
  const restored = await run("restore", kept);
  expect(restored.code, restored.err).toBe(0);
  expect(JSON.parse(restored.out)).toMatchObject({ success: true });
  expect((await client.get("/api/settings")).body.device_name).toBe("Minaret");
  expect(await run("restore", "{broken")).toMatchObject({ code: 2, err: expect.stringContaining("400") });
});

it("controls a simulated device by hand", async () => {
  const { client, run } = await startDevice();
  const live = await client.socket();
  expect(await run("simulate tap 04A1B2C3")).toEqual({ code: 0, out: '{"ok":true}\n', err: "" });
  await live.next("nfc", ({ uid }) => uid === "04A1B2C3");
  expect((await run("simulate battery 42 --charging")).code).toBe(0);
  await expect
    .poll(async () => (await client.get("/api/battery")).body)
    .toMatchObject({ percentage: 42, charging: true });
  expect((await run("simulate battery 142")).code).toBe(1);
  expect(await run("simulate jump")).toMatchObject({ code: 2, err: expect.stringContaining("must be one of tap") });
  await live.close();
});
