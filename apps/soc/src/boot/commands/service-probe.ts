import type { Clock } from "@kit/clock";
import { formatServiceAddress } from "@kit/http/service";
import { Problem } from "@kit/problem";
import type { readConfig } from "../config/config.ts";
import type { Environment } from "./service-client.ts";

const ANSWER_MS = 10_000;

/**
 * Requests a public route of the service at SOC_URL or, without it, of the service that these variables start here.
 */
export async function askProbe(
  path: string,
  { host, port, tls }: Pick<ReturnType<typeof readConfig>, "host" | "port" | "tls">,
  { SOC_URL }: Environment,
  clock: Pick<Clock, "deadline">,
): Promise<{ status: number; text: string }> {
  const url = SOC_URL?.replace(/\/+$/, "") ?? formatServiceAddress({ host, port, hasTls: tls !== undefined });
  try {
    const answer = await fetch(`${url}${path}`, { redirect: "error", signal: clock.deadline(ANSWER_MS) });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    const hint = tls && SOC_URL === undefined ? "; set SOC_URL to a name of its certificate" : "";
    throw new Problem("unavailable", `${url} does not answer${hint}`, { cause });
  }
}
