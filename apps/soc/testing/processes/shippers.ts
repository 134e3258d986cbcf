import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createClock } from "@kit/clock";

const OPENSSL = "openssl";
const RSYSLOG = "/usr/sbin/rsyslogd";
// Debian allows only one installed system logger; the other one is unpacked (dpkg -x) into a separate folder.
const SYSLOG_NG_FOLDER = process.env.SYSLOG_NG_FOLDER ?? "/opt/syslog-ng";
const SYSLOG_NG = join(SYSLOG_NG_FOLDER, "usr/sbin/syslog-ng");
const STOP_MS = 5000;
const clock = createClock();

export const hasRsyslog = existsSync(RSYSLOG);
export const hasSyslogNg = existsSync(SYSLOG_NG);

interface Shipper {
  output(): string;
  stop(): Promise<void>;
}

function start(command: string, args: readonly string[], env: Record<string, string> = {}): Shipper {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  const ended = once(child, "exit");
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-10_000);
    });
  }
  return {
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      await Promise.race([ended, clock.sleep(STOP_MS)]);
      child.kill("SIGKILL");
      await ended;
      process.off("exit", kill);
    },
  };
}

/** Starts rsyslog in the foreground with its own configuration and folder. */
export function startRsyslog(folder: string, configuration: string): Shipper {
  const file = join(folder, "rsyslog.conf");
  writeFileSync(file, `global(workDirectory="${folder}")\n${configuration}\n`);
  return start(RSYSLOG, ["-n", "-f", file, "-i", join(folder, "rsyslog.pid")]);
}

/** Starts syslog-ng in the foreground with its own configuration and folder. */
export function startSyslogNg(folder: string, configuration: string): Shipper {
  const file = join(folder, "syslog-ng.conf");
  writeFileSync(file, `@version: 3.38\n${configuration}\n`);
  const libraries = join(SYSLOG_NG_FOLDER, "usr/lib/syslog-ng");
  const own = (name: string) => join(folder, `syslog-ng.${name}`);
  return start(
    SYSLOG_NG,
    [
      ...["-F", "--no-caps", "-f", file, "--module-path", join(libraries, "3.38")],
      ...["--persist-file", own("persist"), "--pidfile", own("pid"), "--control", own("control")],
    ],
    { LD_LIBRARY_PATH: libraries },
  );
}

/** Creates a certificate authority and a certificate for localhost, with their keys, as files. */
export function makeCertificates(folder: string) {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync(OPENSSL, args, { stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const authority = ["-keyout", at("ca.key"), "-out", at("ca.pem"), "-subj", "/CN=Test authority"];
  openssl("req", "-x509", ...key, ...authority, "-days", "2");
  openssl("req", ...key, "-keyout", at("server.key"), "-out", at("server.csr"), "-subj", "/CN=localhost");
  writeFileSync(at("server.ext"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n");
  const signed = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial", "-days", "2"];
  openssl("x509", "-req", "-in", at("server.csr"), ...signed, "-extfile", at("server.ext"), "-out", at("server.pem"));
  return { ca: at("ca.pem"), cert: at("server.pem"), key: at("server.key") };
}
