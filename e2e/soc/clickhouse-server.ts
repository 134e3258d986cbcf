import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";
import { onTestFinished } from "vitest";

const PROGRAM = new URL("../../.ci/clickhouse-server", import.meta.url).pathname;

/** Debian's ClickHouse, which is too old, at its own address. The caller starts it; the end of the test stops it. */
export async function createOldClickhouse() {
  const program = execFileSync(PROGRAM, { encoding: "utf8", timeout: 300_000 }).trim();
  const folder = await mkdtemp(join(tmpdir(), "soc-clickhouse-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const settings = join(folder, "config.xml");
  await mkdir(join(folder, "tmp"));
  await writeFile(
    settings,
    `<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <listen_host>127.0.0.1</listen_host><http_port>${port}</http_port>
  <path>${folder}/</path><tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>5368709120</mark_cache_size>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
  <profiles><default></default></profiles><quotas><default></default></quotas>
  <default_profile>default</default_profile><default_database>default</default_database>
</yandex>
`,
  );
  return {
    url: `http://127.0.0.1:${port}/default`,
    async start(): Promise<void> {
      const started = await startProcess({
        command: program,
        args: [`--config-file=${settings}`],
        readyWhen: /Logging warning to console/,
      });
      onTestFinished(async () => {
        await started.stop("SIGKILL");
      });
    },
  };
}
