import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Random } from "./random.ts";

/** A balancer in front of the intakes. It performs no health checks, so requests also reach dead intakes. */
export interface Balancer {
  url: string;
  /** While it is faulty, it refuses requests, breaks connections before an intake has the request, or after its answer. */
  setFaulty(isFaulty: boolean): void;
  /** Counts answers of the balancer itself, and connections that it broke. */
  faults(): number;
  close(): void;
}

const ANSWER_MS = 10_000;
const FAULTY_SHARE = 0.5;
/** The answer is the balancer's own, not that of an intake. */
export const OWN_ANSWER = "x-balancer";

export async function startBalancer(
  address: string,
  intakes: () => readonly string[],
  random: Random,
): Promise<Balancer> {
  let isFaulty = false;
  let faults = 0;
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const fault =
      isFaulty && random.next() < FAULTY_SHARE ? random.pick(["refuse", "before", "after"] as const) : undefined;
    if (fault) faults += 1;
    if (fault === "refuse") return answerItself(outgoing, 503);
    if (fault === "before") return void incoming.socket.resetAndDestroy();
    const all = intakes();
    turn += 1;
    const target = all[turn % Math.max(1, all.length)];
    if (target === undefined) return answerItself(outgoing, 502);
    forward(incoming, outgoing, { target, isBroken: fault === "after" });
  });
  server.listen(0, address);
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the balancer has no port");
  return {
    url: `http://${address}:${bound.port}`,
    setFaulty: (value) => {
      isFaulty = value;
    },
    faults: () => faults,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answerItself(outgoing: ServerResponse, status: number): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  outgoing.writeHead(status, { [OWN_ANSWER]: "1" }).end();
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, isBroken }: { target: string; isBroken: boolean },
): void {
  const inner = request(`${target}${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers,
    agent: false,
    timeout: ANSWER_MS,
  });
  inner.on("timeout", () => inner.destroy(new Error("no answer in time")));
  inner.on("error", () => answerItself(outgoing, 502));
  inner.on("response", (answer) => {
    if (isBroken) {
      answer.resume();
      answer.once("end", () => incoming.socket.resetAndDestroy());
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  incoming.pipe(inner);
}
