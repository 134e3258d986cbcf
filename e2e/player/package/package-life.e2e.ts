import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boot, bootstrap, type Container, layOverThisMachine, whyNoContainer } from "../../container.ts";
import { count, isFull } from "../../counts.ts";
import { buildPackage, capture } from "../../deb.ts";

const clock = createClock();
/** The unit's own, or one that a build need not wait for. */
const WATCHDOG_S = isFull ? 30 : 6;
const PORT = 443;
const NODE = "/usr/lib/manara-player/bin/node";
const PLACE = { lat: 21.4225, lng: 39.8262 };

const reason = await whyNoContainer();
if (reason !== undefined) console.log(`NOT RUN: the life of the package on a booted Debian, because ${reason}`);

// Each test continues where the previous one ended.
describe.runIf(reason === undefined)("player package on a booted Debian", { timeout: 120_000 }, () => {
  let device: Container;
  let token: string;

  beforeAll(async () => {
    const [first, second] = [await buildPackage(), await buildPackage({ version: "1.0.1" })];
    const depends = await capture("dpkg-deb", "--field", first, "Depends");
    const names = depends
      .trim()
      .split(", ")
      .map((each) => each.replace(/ .*/, ""));
    device = await boot(isFull ? await bootstrap(names) : await layOverThisMachine());
    await copyFile(first, join(device.root, "root/first.deb"));
    await copyFile(second, join(device.root, "root/second.deb"));
    // There is no sound card here, and no bus service of a network or a battery.
    await device.must("mkdir -p /etc/default && echo PLAYER_AUDIO_OUTPUT=null >/etc/default/manara-player");
    await device.must(`mkdir -p /run/systemd/system/manara-player.service.d
printf '[Service]\\nWatchdogSec=${WATCHDOG_S}\\n' >/run/systemd/system/manara-player.service.d/test.conf`);
  }, 900_000);
  afterAll(() => device.remove(), 60_000);

  /** Asks the service from inside, by the Node of the package. */
  async function ask(path: string, body?: unknown) {
    const options =
      body === undefined
        ? "{}"
        : JSON.stringify({
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify(body),
          });
    const script = `fetch("https://127.0.0.1:${PORT}/api${path}", ${options}).then(async (r) => console.log(JSON.stringify({ status: r.status, body: await r.json() })))`;
    return JSON.parse(await device.must(`NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 ${NODE} -e '${script}'`));
  }

  /** "0" while it is being replaced. */
  const readPid = () => device.must("systemctl show --property=MainPID --value manara-player");
  /** A signal to process 0 would reach the whole group of processes that sends it. */
  async function mainPid(): Promise<string> {
    let pid = "0";
    await waitFor(async () => {
      pid = await readPid();
      return Number(pid) > 1;
    }, 10_000);
    return pid;
  }
  const isActive = async () => (await device.run("systemctl is-active manara-player")).status === 0;
  const mpvPids = async () =>
    (await device.run("pgrep -u manara-player-audio -x mpv")).output.trim().split("\n").filter(Boolean);
  const waitFor = (check: () => Promise<boolean>, timeout: number) =>
    expect.poll(check, { timeout, interval: 100 }).toBe(true);

  async function untilReplaced(former: string, timeout: number): Promise<number> {
    const fromMs = clock.monotonicMs();
    await waitFor(async () => (await isActive()) && !["0", former].includes(await readPid()), timeout);
    return Math.round((clock.monotonicMs() - fromMs) / 100) / 10;
  }

  it("is active within 10 s of its installation and answers", async () => {
    const fromMs = clock.monotonicMs();
    await device.must("dpkg --force-confold -i /root/first.deb");
    await waitFor(isActive, 40_000);
    const seconds = (clock.monotonicMs() - fromMs) / 1000;
    console.log(`installed and active in ${seconds.toFixed(1)} s`);
    token = await device.must("manara-player token");
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await ask("/system")).body.version).toBe("1.0.0");
    // A CI machine may run other work at the same time.
    expect(seconds).toBeLessThan(count({ ci: 30, full: 10 }));
  });

  it("plays the built-in tone with a sound engine that runs as a separate user", async () => {
    await waitFor(async () => (await mpvPids()).length === 1, 10_000);
    const failures = (await ask("/system")).body.boot_failures as { component: string }[];
    expect(failures.map(({ component }) => component)).not.toContain("audio");
    expect((await ask("/prayer/test-adhan", {})).status).toBe(200);
    await waitFor(async () => (await ask("/playback/status")).body.state === "playing", 10_000);
    expect(await device.must("ps -o user= -p $(systemctl show --property=MainPID --value manara-player)")).toBe(
      "manara-player",
    );
  });

  it("replaces a hanging sound engine, although it belongs to another user", async () => {
    const [former = ""] = await mpvPids();
    await device.must(`kill -STOP ${former}`);
    await waitFor(async () => (await mpvPids()).length === 1 && !(await mpvPids()).includes(former), 15_000);
  });

  it("may end only its sound engine", async () => {
    const asPlayer =
      "runuser -u manara-player -- busctl call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager";
    const refused = await device.run(`${asPlayer} KillUnit ssi dbus.service all 9`);
    expect(refused.output).toMatch(/Access denied|not authorized|authentication/i);
    expect((await device.run(`${asPlayer} StartUnit ss rescue.target replace`)).status).not.toBe(0);
  });

  it("lets the sound engine read only the tone and reach only this host", async () => {
    const drop = "/run/systemd/system/manara-player-audio@.service.d";
    await device.must(`ip address add 192.0.2.1/32 dev lo
systemctl stop manara-player
mkdir -p ${drop}
cat >/run/probe <<'END'
${PROBE}
END
printf '[Service]\\nExecStartPre=\\nExecStart=\\nExecStart=/usr/bin/perl /run/probe\\n' >${drop}/probe.conf
systemctl daemon-reload`);
    const listen = `const { createServer, connect } = require("node:net");
for (const host of ["127.0.0.1", "192.0.2.1"]) createServer((s) => s.end()).listen(7777, host);
setTimeout(() => connect("/run/manara-player-audio.sock").setEncoding("utf8").on("data", (text) => { console.log(text); process.exit(); }), 300);`;
    await device.must(`cat >/run/listen.cjs <<'END'\n${listen}\nEND`);
    const found = JSON.parse(await device.must(`timeout 20 ${NODE} /run/listen.cjs`));
    await device.must(`rm -r ${drop} && systemctl daemon-reload && systemctl start manara-player`);
    console.log(`from inside the sandbox of mpv: ${JSON.stringify(found)}`);
    expect(found).toMatchObject({
      tone: "read",
      token: "refused",
      database: "refused",
      write: "refused",
      loopback: "reached",
    });
    expect(found.outside).toBe("refused");
  });

  it("has an exposure of at most 2.0 according to systemd", async () => {
    for (const unit of ["manara-player.service", "manara-player-audio@1.service"]) {
      const output = await device.must(`systemd-analyze security --threshold=20 --no-pager ${unit}`);
      console.log(
        output
          .split("\n")
          .filter((line) => line.includes("Overall"))
          .join("")
          .trim(),
      );
    }
  });

  it("is restarted by the watchdog when it hangs", async () => {
    const former = await mainPid();
    await device.must(`kill -STOP ${former}`);
    const seconds = await untilReplaced(former, (WATCHDOG_S + 20) * 1000);
    console.log(`stopped: replaced after ${seconds} s, with a watchdog of ${WATCHDOG_S} s`);
  });

  it("restarts after a kill without leaving a second sound engine", async () => {
    const former = await mainPid();
    await device.must(`kill -KILL ${former}`);
    const seconds = await untilReplaced(former, 15_000);
    console.log(`killed: active again after ${seconds} s`);
    await waitFor(async () => (await mpvPids()).length === 1, 10_000);
  });

  it("keeps token, settings and position over an upgrade", async () => {
    await waitFor(
      async () =>
        (
          await device.run(
            `${NODE} -e 'fetch("https://127.0.0.1:${PORT}").catch((e) => process.exit(e.cause.code === "ECONNREFUSED" ? 1 : 0))'`,
          )
        ).status === 0,
      10_000,
    );
    expect((await ask("/settings", { device_name: "Kitchen" })).status).toBe(200);
    expect((await ask("/prayer/config", PLACE)).status).toBe(200);
    const former = await mainPid();
    await device.must("dpkg --force-confold -i /root/second.deb");
    await untilReplaced(former, 20_000);
    expect(await device.must("manara-player token")).toBe(token);
    expect((await ask("/system")).body.version).toBe("1.0.1");
    expect((await ask("/settings")).body.device_name).toBe("Kitchen");
    expect((await ask("/prayer")).body.config).toMatchObject(PLACE);
    expect((await ask("/settings", { volume: 11 })).status).toBe(400);
  });

  it("stops and keeps the data when removed", async () => {
    await device.must("dpkg --remove manara-player");
    expect(await isActive()).toBe(false);
    expect(await mpvPids()).toEqual([]);
    expect(await device.must("cat /var/lib/manara-player/token")).toBe(token);
  });

  it("leaves nothing behind when purged", async () => {
    await device.must("dpkg --purge manara-player");
    await device.must("rm -rf /root/first.deb /root/second.deb /run/systemd/system/manara-player.service.d");
    const folders = "/etc /usr/lib /usr/bin /usr/share /var/lib /var/cache /run /media";
    const existing = `$(ls -d ${folders} 2>/dev/null)`;
    // A SOC for development and images of it may be on this machine, which is below the layer.
    const others = ["/run/credentials/*", "/var/lib/manara-soc-dev-*", "/var/lib/containers/*"]
      .map((path) => `-not -path '${path}'`)
      .join(" ");
    const left = await device.must(`find ${existing} -xdev -name '*manara*' ${others}`);
    expect(left).toBe("");
    expect((await device.run("getent passwd manara-player manara-player-audio")).output).toBe("");
    expect((await device.run("getent group manara-player manara-player-audio")).output).toBe("");
  });
});

/** Runs in the place of mpv, with its user, its files and its network; answers on descriptor 3. */
const PROBE = `use strict; use IO::Socket::INET;
my %found;
my %paths = (tone => "tone.wav", token => "token", database => "player.db");
for my $name (keys %paths) { $found{$name} = open(my $file, "<", "/var/lib/manara-player/$paths{$name}") ? "read" : "refused"; }
$found{write} = (grep { open(my $file, ">", "$_/probe") } "/var/lib/manara-player", "/etc", "/usr/lib/manara-player", "/media/manara") ? "written" : "refused";
my %hosts = (loopback => "127.0.0.1", outside => "192.0.2.1");
for my $name (keys %hosts) {
  $found{$name} = IO::Socket::INET->new(PeerAddr => $hosts{$name}, PeerPort => 7777, Timeout => 3) ? "reached" : "refused";
}
open(my $out, ">&=", 3) or die; print $out "{" . join(",", map { "\\"$_\\":\\"$found{$_}\\"" } sort keys %found) . "}";`;
