import { readFile } from "node:fs/promises";
import { JUDGED_PLANS, PLANS, parseTranscript, replay } from "../../assistants/module.ts";
import type { StartDeps } from "../start.ts";

const USAGE = "main-replay <transcript.json>: the answer of GET /api/v1/agents/investigations/{id}/transcript";

/** Returns the exit code. 0: identical; 1: different; 2: the file cannot be read or is not a transcript. */
export async function runReplay(
  [path]: readonly string[],
  { stdout, stderr }: Pick<StartDeps["host"], "stdout" | "stderr">,
): Promise<0 | 1 | 2> {
  if (path === undefined) {
    stderr.write(`${USAGE}\n`);
    return 2;
  }
  try {
    const transcript = parseTranscript(await readFile(path, "utf8"));
    const { isSame, differences, steps } = await replay(transcript, { evidence: PLANS, judged: JUDGED_PLANS });
    const { investigation_id, verdict } = transcript.investigation;
    stdout.write(
      `${isSame ? "SAME" : "DIFFERENT"}: investigation ${investigation_id}, ${steps} steps, verdict ${verdict}\n`,
    );
    for (const difference of differences) stdout.write(`- ${difference}\n`);
    return isSame ? 0 : 1;
  } catch (error) {
    stderr.write(`cannot read the file: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}
