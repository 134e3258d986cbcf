import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type StartedProcess, startProcess } from "@kit/testing/process";

const SHIPPED = join(import.meta.dirname, "../../broker");

export interface MosquittoServer {
  /** The value for SOC_MQTT_URL. */
  url: string;
  port: number;
  pidFile: string;
  /** Where it reads the files that the platform writes. */
  folder: string;
  /** The output since its last start. */
  output(): string;
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

const EVERYTHING = ["all"];
/** Log levels without a line for each message. */
const FEW = ["error", "warning", "information"];

/**
 * Prepares Debian's mosquitto with the shipped configuration, on loopback and in its own folder. Does not start it.
 */
export async function prepareMosquitto({ isQuiet = false, host = "127.0.0.1" } = {}): Promise<MosquittoServer> {
  const home = await mkdtemp(join(tmpdir(), "mosquitto-"));
  const folder = join(home, "files");
  const [port, settings, pidFile] = [await freePort(), join(home, "mosquitto.conf"), join(home, "pid")];
  const shipped = await readFile(join(SHIPPED, "mosquitto.conf"), "utf8");
  const own = shipped
    .replace("listener 8883", `listener ${port} ${host}`)
    .replaceAll("/var/lib/manara-broker/", `${folder}/`)
    .replaceAll("/var/lib/mosquitto/manara-", `${home}/`);
  const logged = (isQuiet ? FEW : EVERYTHING).map((type) => `log_type ${type}\n`).join("");
  // It drops root's rights for those of this user.
  await writeFile(settings, `${own}\nuser root\npersistence_location ${home}/\npid_file ${pidFile}\n${logged}`);
  await copyFile(join(SHIPPED, "dynamic-security.json"), join(home, "dynamic-security.json"));
  let running: StartedProcess | undefined;
  return {
    url: `mqtts://${host === "127.0.0.1" ? "localhost" : host}:${port}`,
    port,
    pidFile,
    folder,
    output: () => running?.output() ?? "",
    async start() {
      const args = ["-c", settings];
      running = await startProcess({ command: "mosquitto", args, readyWhen: /mosquitto version \S+ running/ });
    },
    async stop(signal = "SIGKILL") {
      await running?.stop(signal);
    },
    async remove() {
      await running?.stop("SIGKILL");
      await rm(home, { recursive: true, force: true });
    },
  };
}
