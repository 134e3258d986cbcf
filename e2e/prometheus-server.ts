import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { onTestFinished } from "vitest";

type Json = ReturnType<typeof JSON.parse>;

export interface ScrapeJob {
  job_name: string;
  scheme?: "https";
  tls_config?: { ca_file: string };
  authorization: { credentials_file: string };
  static_configs: { targets: string[] }[];
}

const clock = createClock();
const ANSWER_MS = 10_000;

/** Debian's Prometheus, which scrapes and evaluates once a second. It is stopped with the test. */
export async function startPrometheus(jobs: readonly ScrapeJob[], rule_files: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), "prometheus-"));
  const port = await freePort();
  const config = join(folder, "prometheus.yml");
  const global = { scrape_interval: "1s", evaluation_interval: "1s" };
  // JSON is YAML.
  await writeFile(config, JSON.stringify({ global, rule_files, scrape_configs: jobs }));
  const url = `http://127.0.0.1:${port}`;
  const server = await startProcess({
    command: "/usr/bin/prometheus",
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    readyWhen: /Server is ready to receive web requests/,
    withinMs: 60_000,
  });
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function ask(path: string): Promise<Json> {
    const answer = await fetch(`${url}/api/v1/${path}`, { signal: clock.deadline(ANSWER_MS) });
    const { status, data, error } = await answer.json();
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  }

  return {
    /** The numbers that an expression answers now, those that are none (0/0) left out. */
    async query(expr: string): Promise<number[]> {
      const { result } = await ask(`query?query=${encodeURIComponent(expr)}`);
      const numbers: number[] = result.map(({ value }: Json) => Number(value[1]));
      return numbers.filter((number) => !Number.isNaN(number));
    },

    /** Every rule with what went wrong with it; null when nothing did. */
    async listRules(): Promise<{ name: string; health: string; lastError?: string }[]> {
      return (await ask("rules")).groups.flatMap(({ rules }: Json) => rules);
    },

    /** The names of the alerts that fire or are about to. */
    async listAlerts(): Promise<string[]> {
      return (await ask("alerts")).alerts.map(({ labels }: Json) => labels.alertname);
    },

    async listTargets(): Promise<{ health: string; lastError: string }[]> {
      return (await ask("targets")).activeTargets;
    },
  };
}
