import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCertificate } from "./certificate.ts";
import { issueServer } from "./issue.ts";
import type { Pair } from "./pair.ts";

const clock = createClock();
const ids = createIds(clock);
const run = promisify(execFile);
const NAMES = ["localhost", "127.0.0.1", "::1", "10.42.0.1", "manara-1", "manara-1.local", "192.168.1.7"];

let folder: string;
let authority: Pair;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-"));
  const own = {
    dataFolder: folder,
    clock,
    isClockValid: true,
    ids,
    log: silentLog,
    hostname: "manara-1",
    names: NAMES,
  };
  const { cert } = await openCertificate(own);
  authority = JSON.parse(await readFile(join(folder, "tls", "ca.json"), "utf8"));
  await writeFile(join(folder, "ca.pem"), authority.cert);
  await writeFile(join(folder, "server.pem"), cert);
});

afterAll(() => rm(folder, { recursive: true }));

/** The verdict of the openssl program, which shares no code with the certificates' creator. */
async function verify(file: string, ...options: string[]): Promise<string> {
  const args = ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", join(folder, "ca.pem"), ...options];
  // A refusal is an exit code; its reason is on stderr.
  const verdict = await run("openssl", [...args, join(folder, file)]).catch((error: unknown) => error);
  return inspect(verdict);
}

it.each([
  ["-verify_hostname", "manara-1.local"],
  ["-verify_hostname", "manara-1"],
  ["-verify_hostname", "localhost"],
  ["-verify_ip", "10.42.0.1"],
  ["-verify_ip", "192.168.1.7"],
  ["-verify_ip", "::1"],
])("accepts the device's certificate (%s %s)", async (option, name) => {
  expect(await verify("server.pem", option, name)).toMatch(/server\.pem: OK/);
});

it.each(["example.com", "manara.example", "8.8.8.8", "2001:db8::1"])(
  "refuses a certificate for %s, although the authority's key signed it",
  async (name) => {
    const nowMs = clock.now().getTime();
    const validity = {
      serialNumber: "02",
      notBefore: new Date(nowMs - 60_000),
      notAfter: new Date(nowMs + 86_400_000),
    };
    const { cert } = await issueServer({ names: ["localhost", name], authority, validity, former: undefined });
    await writeFile(join(folder, "foreign.pem"), cert);
    expect(await verify("foreign.pem")).toContain("permitted subtree violation");
  },
);

it("marks the constraints as critical and names every network", async () => {
  const { stdout } = await run("openssl", ["x509", "-in", join(folder, "ca.pem"), "-noout", "-ext", "nameConstraints"]);
  expect(stdout).toContain("X509v3 Name Constraints: critical");
  expect(stdout.match(/(DNS|IP):\S+/g)).toEqual([
    "DNS:localhost",
    "DNS:local",
    "DNS:manara-1",
    "IP:10.0.0.0/255.0.0.0",
    "IP:172.16.0.0/255.240.0.0",
    "IP:192.168.0.0/255.255.0.0",
    "IP:169.254.0.0/255.255.0.0",
    "IP:127.0.0.0/255.0.0.0",
    "IP:FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0",
    "IP:FE80:0:0:0:0:0:0:0/FFC0:0:0:0:0:0:0:0",
    "IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF",
  ]);
});
