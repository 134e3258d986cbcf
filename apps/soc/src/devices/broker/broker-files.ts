import { chmod, mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../foundation/records/sync-folder.ts";

/** The files of the broker in the order of replacement. */
export type BrokerFile = "ca.crt" | "server.key" | "server.crt" | "acl" | "crl.pem";
export type BrokerFiles = ReturnType<typeof createBrokerFiles>;

const FOLDER_MODE = 0o750;
const PUBLIC_MODE = 0o644;
/** The broker runs as another user, who shares the group of the folder. */
const KEY_MODE = 0o640;

export function createBrokerFiles(folder: string) {
  async function read(name: BrokerFile): Promise<string | undefined> {
    return readFile(join(folder, name), "utf8").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
  }

  return {
    /** Reads a file; undefined if it is missing. */
    read,

    /** Replaces each file that differs with a rename, so that the broker never reads a partial file. */
    async write(files: readonly (readonly [BrokerFile, string])[]): Promise<void> {
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      const isSame = async (name: BrokerFile, text: string) => (await read(name)) === text;
      for (const [name, text] of files) if (!(await isSame(name, text))) await replace(join(folder, name), text);
      await syncFolder(folder);
    },
  };
}

async function replace(path: string, text: string): Promise<void> {
  const mode = path.endsWith(".key") ? KEY_MODE : PUBLIC_MODE;
  const draft = `${path}.draft`;
  const file = await open(draft, "w", mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  // The umask of the process may have removed the group permissions.
  await chmod(draft, mode);
  await rename(draft, path);
}
