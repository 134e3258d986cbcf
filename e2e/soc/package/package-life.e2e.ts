import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boot, bootstrap, type Container, whyNoContainer } from "../../container.ts";
import { buildPackage, ROOT } from "../../deb.ts";

const clock = createClock();
const MAX_INSTALL_TO_ALERT_S = 300;
const WATCHDOG_S = 30;
const NODE = "/usr/lib/manara-soc/bin/node";
const BLOCK = /^```sh run\n([\s\S]*?)^```$/gm;
/** The packages that the guide installs. They are downloaded first, because the booted machine has no network. */
const DOWNLOADED = ["postgresql", "rsyslog", "curl"];

const reason = await whyNoContainer();
if (reason !== undefined) console.log(`NOT RUN: the life of the package on a booted Debian, because ${reason}`);

// The tests depend on each other: each continues with the machine that the previous test left.
describe.runIf(reason === undefined)("SOC package on an empty, booted Debian", { timeout: 400_000 }, () => {
  let machine: Container;
  let password: string;

  beforeAll(async () => {
    const first = await buildPackage({ product: "soc" });
    const second = await buildPackage({ product: "soc", version: "1.0.1" });
    machine = await boot(await bootstrap([], DOWNLOADED));
    await copyFile(first, join(machine.root, "root/manara-soc.deb"));
    await copyFile(second, join(machine.root, "root/second.deb"));
  }, 900_000);
  afterAll(() => machine.remove(), 60_000);

  const waitFor = (check: () => Promise<boolean>, timeout: number) =>
    expect.poll(check, { timeout, interval: 200 }).toBe(true);
  const isReady = async () => (await machine.run("curl --silent --fail http://127.0.0.1:8080/ready")).status === 0;
  const isActive = async () => (await machine.run("systemctl is-active manara-soc")).status === 0;
  /** "0" while it is being replaced. */
  const readPid = () => machine.must("systemctl show --property=MainPID --value manara-soc");
  const askDatabase = (sql: string, database = "postgres") =>
    machine.must(`cd / && runuser -u postgres -- psql --no-psqlrc -tA ${database} -c "${sql}"`);

  /** A signal to process 0 would reach the whole group of processes that sends it. */
  async function mainPid(): Promise<string> {
    let pid = "0";
    await waitFor(async () => {
      pid = await readPid();
      return Number(pid) > 1;
    }, 10_000);
    return pid;
  }

  async function untilReplaced(former: string, timeout: number): Promise<number> {
    const fromMs = clock.monotonicMs();
    await waitFor(async () => !["0", former].includes(await readPid()) && (await isReady()), timeout);
    return Math.round((clock.monotonicMs() - fromMs) / 100) / 10;
  }

  /** Asks the service from inside, as the first administrator. */
  async function ask(path: string, body?: unknown) {
    const json = JSON.stringify({ "content-type": "application/json" });
    const script = `const url = "http://127.0.0.1:8080/api/v1", headers = ${json};
const signIn = await fetch(url + "/auth/token", { method: "POST", headers, body: JSON.stringify({ username: "admin", password: "${password}" }) });
headers.authorization = "Bearer " + (await signIn.json()).access_token;
const answer = await fetch(url + "${path}", ${body === undefined ? "{ headers }" : `{ method: "POST", headers, body: ${JSON.stringify(JSON.stringify(body))} }`});
console.log(JSON.stringify({ status: answer.status, body: await answer.json() }));`;
    return JSON.parse(await machine.must(`${NODE} --input-type=module <<'END'\n${script}\nEND`));
  }

  it("leads from installation to the first alert with the commands of the guide within five minutes", async () => {
    const guide = await readFile(join(ROOT, "docs/operations/install-soc.md"), "utf8");
    const blocks = [...guide.matchAll(BLOCK)].map(([, commands = ""]) => commands);
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    const fromMs = clock.monotonicMs();
    const outputs: string[] = [];
    for (const commands of blocks) {
      const startMs = clock.monotonicMs();
      const output = await machine.must(`cd /root && set -e\n${commands}`);
      outputs.push(output);
      console.log(`${((clock.monotonicMs() - startMs) / 1000).toFixed(1)} s: ${commands.split("\n")[0]}`);
    }
    const seconds = (clock.monotonicMs() - fromMs) / 1000;
    console.log(`from an empty Debian to the first alert: ${seconds.toFixed(1)} s, without the download`);
    expect(outputs.at(-1)).toContain("Failed password of root");
    expect(seconds).toBeLessThan(MAX_INSTALL_TO_ALERT_S);
    password = await machine.must("cat /var/lib/manara-soc/initial-admin-password");
  });

  it("has every key and password in a file readable only by its owner, and a login that owns nothing", async () => {
    const modes = await machine.must(
      "stat -c '%a %U %n' /etc/manara-soc/*.env /var/lib/manara-soc /var/lib/manara-soc/*.key /var/lib/manara-soc/initial-admin-password",
    );
    expect(modes.split("\n")).toEqual([
      "600 root /etc/manara-soc/owner.env",
      "600 root /etc/manara-soc/service.env",
      "700 manara-soc /var/lib/manara-soc",
      "600 manara-soc /var/lib/manara-soc/channels.key",
      "600 manara-soc /var/lib/manara-soc/ledger.key",
      "600 manara-soc /var/lib/manara-soc/initial-admin-password",
    ]);
    expect(await machine.must(`ps -o user:20= -p ${await mainPid()}`)).toBe("manara-soc");
    const owned = "SELECT count(*) FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner WHERE rolname = 'manara_soc'";
    expect(await askDatabase(owned, "manara_soc")).toBe("0");
    const environment = await machine.must(`tr '\\0' '\\n' </proc/${await mainPid()}/environ`);
    expect(environment).toContain("SOC_DATABASE_URL=postgres://manara_soc:");
    expect(environment).not.toContain("SOC_DATABASE_OWNER_URL");
    const secrets = await machine.must(
      "sed 's|.*://[^:]*:||; s|@.*||' /etc/manara-soc/owner.env /etc/manara-soc/service.env",
    );
    for (const secret of [...secrets.split("\n"), password]) {
      expect(secret.length).toBeGreaterThanOrEqual(20);
      expect((await machine.run(`journalctl --no-pager | grep -F '${secret}'`)).output).toBe("");
      expect((await machine.run(`grep -rF '${secret}' /var/log --include='*.log'`)).output).toBe("");
    }
  });

  it("has an exposure of at most 2.0 according to systemd", async () => {
    const output = await machine.must("systemd-analyze security --threshold=20 --no-pager manara-soc.service");
    console.log(output.split("\n").at(-1));
  });

  it("is restarted by the watchdog when it hangs", async () => {
    const former = await mainPid();
    await machine.must(`kill -STOP ${former}`);
    const seconds = await untilReplaced(former, (WATCHDOG_S + 60) * 1000);
    console.log(`stopped: ready again after ${seconds} s, with a watchdog of ${WATCHDOG_S} s`);
  });

  it("is ready again after a kill", async () => {
    const former = await mainPid();
    await machine.must(`kill -KILL ${former}`);
    console.log(`killed: ready again after ${await untilReplaced(former, 60_000)} s`);
  });

  it("keeps cases, alerts, logs and keys over an upgrade", async () => {
    expect((await ask("/cases", { title: "Kept" })).status).toBe(201);
    const keys = await machine.must("sha256sum /var/lib/manara-soc/*.key /etc/manara-soc/*.env");
    const former = await mainPid();
    await machine.must("dpkg --force-confold --install /root/second.deb");
    console.log(`upgraded: ready again after ${await untilReplaced(former, 60_000)} s`);
    expect(await machine.must("manara-soc --version")).toBe("manara-soc 1.0.1");
    expect(await machine.must("sha256sum /var/lib/manara-soc/*.key /etc/manara-soc/*.env")).toBe(keys);
    const titles = async (path: string) => (await ask(path)).body.items.map(({ title }: { title: string }) => title);
    expect(await titles("/cases")).toContain("Kept");
    expect((await titles("/alerts")).join()).toContain("Failed password of root");
    expect((await ask("/siem/logs?query=message:Failed")).body.items.length).toBeGreaterThan(0);
    expect(await machine.must("cat /etc/default/manara-soc")).toContain("\nSOC_SYSLOG_TCP_PORT=1514");
  });

  it("is backed up while it runs despite the restrictions of its unit", async () => {
    await machine.must(
      "install -d -o manara-soc -g manara-soc -m 0700 /var/backups/manara-soc && systemctl restart manara-soc",
    );
    await waitFor(isReady, 60_000);
    const folder = "/var/backups/manara-soc";
    const made = await machine.must(`manara-soc backup --to ${folder}/first --keys ${folder}/keys --json 2>/dev/null`);
    expect(JSON.parse(made)).toMatchObject({ version: "1.0.1" });
    expect(await machine.must(`ls -A ${folder}/first ${folder}/first/logs`)).toContain(".backup");
    expect(await isReady()).toBe(true);
    await machine.must(`rm -r ${folder}`);
  });

  it("stops and keeps the data when removed, and finds it again when installed", async () => {
    await machine.must("dpkg --remove manara-soc");
    expect(await isActive()).toBe(false);
    expect((await machine.run("pgrep -u manara-soc")).output).toBe("");
    expect(await askDatabase("SELECT title FROM cases", "manara_soc")).toContain("Kept");
    expect(await machine.must("ls /var/lib/manara-soc")).toContain("ledger.key");
    await machine.must("dpkg --force-confold --install /root/second.deb");
    await waitFor(isReady, 60_000);
    expect((await ask("/cases")).body.items).toContainEqual(expect.objectContaining({ title: "Kept" }));
  });

  it("leaves nothing behind when purged, and keeps the files of others", async () => {
    await askDatabase("CREATE DATABASE other");
    await machine.must("dpkg --purge manara-soc");
    await machine.must("rm -rf /root/* /etc/rsyslog.d/60-manara-soc.conf");
    const left = await machine.must(
      "find / -xdev -name '*manara*' -not -path '/proc/*' -not -path '/run/credentials/*'",
    );
    expect(left).toBe("");
    expect((await machine.run("getent passwd manara-soc; getent group manara-soc")).output).toBe("");
    expect(await askDatabase("SELECT datname FROM pg_database WHERE NOT datistemplate ORDER BY 1")).toBe(
      "other\npostgres",
    );
    expect(await askDatabase("SELECT rolname FROM pg_roles WHERE rolname !~ '^pg_'")).toBe("postgres");
  });
});
