import type { Ids } from "@kit/clock/ids";
import { openToken, replaceToken } from "./token.ts";

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const USAGE = `Usage: manara-player token [--new]

Prints the device's token. With --new a fresh one replaces it.
The folder is the one that PLAYER_DATA_DIR names.
`;

/** The command line of the owner. Only the token goes to standard output, so that it can be piped. */
export async function runTokenCommand(
  words: readonly string[],
  dataFolder: string,
  ids: Pick<Ids, "secret">,
): Promise<CommandResult> {
  const [word, option] = words;
  const isNew = option === "--new";
  if (word !== "token" || words.length !== (isNew ? 2 : 1)) return { exitCode: 2, stdout: "", stderr: USAGE };
  const { value } = await (isNew ? replaceToken : openToken)(dataFolder, ids);
  const stderr = isNew ? "The former token is valid until the service is restarted.\n" : "";
  return { exitCode: 0, stdout: `${value}\n`, stderr };
}
