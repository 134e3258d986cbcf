import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import type { Tls } from "@kit/http/server";
import { issueServer } from "../src/certificate/issue.ts";

const clock = createClock();
const DAY_MS = 86_400_000;

/** A certificate for any name, as a thief with the authority's key could create it. */
export async function issueForeignCertificate(dataFolder: string, name: string): Promise<Tls> {
  const authority = JSON.parse(await readFile(join(dataFolder, "tls", "ca.json"), "utf8"));
  const nowMs = clock.now().getTime();
  const validity = {
    serialNumber: Buffer.from(name).toString("hex"),
    notBefore: new Date(nowMs - 60_000),
    notAfter: new Date(nowMs + DAY_MS),
  };
  return issueServer({ names: [name], authority, validity, former: undefined });
}
