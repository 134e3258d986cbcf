import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./deb.ts";

const run = promisify(execFile);

/** A gpg keyring with one secret key, as the publisher has it. */
export interface Publisher {
  key: string;
  /** Builds the repository of the packages in its own folder and returns its path. */
  build(files: readonly string[], epochS: number): Promise<string>;
  remove(): Promise<void>;
}

export async function createPublisher(name: string): Promise<Publisher> {
  const home = await mkdtemp(join(tmpdir(), "gpg-"));
  const env = { ...process.env, GNUPGHOME: home };
  const gpg = (...words: string[]) => run("gpg", ["--batch", ...words], { env });
  await gpg("--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never");
  const listed = (await gpg("--with-colons", "--list-keys")).stdout;
  const [, key = ""] = /^fpr:+([0-9A-F]{40}):$/m.exec(listed) ?? [];
  const folders: string[] = [];

  return {
    key,
    async build(files, epochS) {
      const work = await mkdtemp(join(tmpdir(), "apt-"));
      folders.push(work);
      for (const file of files) await cp(file, join(work, "packages", file.split("/").at(-1) ?? ""));
      const folder = join(work, "apt");
      const words = [`--packages=${work}/packages`, `--folder=${folder}`, `--key=${key}`];
      await run(process.execPath, [join(ROOT, "packaging/dist/build-apt-repository.js"), ...words], {
        env: { ...env, SOURCE_DATE_EPOCH: String(epochS) },
      });
      return folder;
    },
    async remove() {
      await run("gpgconf", ["--kill", "gpg-agent"], { env });
      for (const folder of [home, ...folders]) await rm(folder, { recursive: true });
    },
  };
}
