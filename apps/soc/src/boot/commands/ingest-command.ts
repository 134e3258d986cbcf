import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type Clock, createClock } from "@kit/clock";
import { type Command, readText, type Terminal } from "@kit/config/commands";
import { invalidField, Problem } from "@kit/problem";
import Value from "typebox/value";
import { IngestAnswer } from "../../logs/intake/intake.schema.ts";
import { type Environment, openService, SERVICE_VARIABLES, type ServiceClient } from "./service-client.ts";

const EVENTS_BATCH_SIZE = 1000;
const MAX_BATCH_CHARACTERS = 500_000;
const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 60;
const FORMATS = ["json", "text"];

interface Sums {
  accepted: number;
  rejected: number;
}

export function createIngestCommand(deps: { environment: Environment; terminal: Terminal }): Command {
  const { environment, terminal } = deps;
  return {
    name: "ingest",
    takes: "<file> [--format json|text] [--source <name>] [--site <name>] [--json]",
    summary: "Sends the lines of a file as logs.",
    details: [
      "json: each line is an object, as POST /api/v1/siem/ingest takes it. text: each line becomes the message of a log.",
      "Batches are named by their content and their place in the file: sending a file again after a failure stores nothing twice.",
      `The key needs siem:ingest. ${SERVICE_VARIABLES}`,
    ].join("\n"),
    options: {
      format: { type: "string", default: "json" },
      source: { type: "string" },
      site: { type: "string" },
      json: { type: "boolean" },
    },
    words: { min: 1, max: 1 },
    exitCodes: { 1: "events were rejected and are dead letters" },
    async run(given) {
      const [file = ""] = given.positionals;
      const format = readText(given, "format") ?? "";
      if (!FORMATS.includes(format)) throw invalidField("--format", `must be one of ${FORMATS.join(", ")}`);
      const [source, site] = [readText(given, "source"), readText(given, "site")];
      const query = new URLSearchParams({
        ...(source !== undefined && { source }),
        ...(site !== undefined && { site }),
      });
      const service = await openService(environment);
      const sums = await sendFile({
        service,
        file,
        query: String(query),
        isText: format === "text",
        clock: createClock(),
      });
      if (given.values.json === true) terminal.write(`${JSON.stringify(sums)}\n`);
      else terminal.write(`${sums.accepted} accepted, ${sums.rejected} rejected\n`);
      return sums.rejected === 0 ? 0 : 1;
    },
  };
}

interface FileSending {
  service: ServiceClient;
  file: string;
  query: string;
  isText: boolean;
  clock: Pick<Clock, "sleep">;
}

async function sendFile(sending: FileSending): Promise<Sums> {
  const sums = { accepted: 0, rejected: 0 };
  const send = async (lines: readonly string[], place: number) => {
    if (lines.length === 0) return;
    const { accepted, rejected } = await sendBatch(sending, lines.join("\n"), place);
    sums.accepted += accepted;
    sums.rejected += rejected;
  };
  let [lines, characters, place] = [[] as string[], 0, 0];
  for await (const line of createInterface({ input: createReadStream(sending.file, "utf8"), crlfDelay: Infinity })) {
    if (line.trim() === "") continue;
    const event = sending.isText ? JSON.stringify({ message: line }) : line;
    if (lines.length === EVENTS_BATCH_SIZE || characters + event.length > MAX_BATCH_CHARACTERS) {
      await send(lines, place);
      [lines, characters, place] = [[], 0, place + 1];
    }
    lines.push(event);
    characters += event.length;
  }
  await send(lines, place);
  return sums;
}

async function sendBatch({ service, query, clock }: FileSending, text: string, place: number): Promise<Sums> {
  const batchId = createHash("sha256").update(`${place} ${query}\n${text}`).digest("hex");
  const headers = { "content-type": "application/x-ndjson", "x-batch-id": batchId };
  for (let attempt = 1; ; attempt += 1) {
    const answer = await service.upload(`/siem/ingest?${query}`, text, headers);
    if (answer.status === 202) return Value.Parse(IngestAnswer, JSON.parse(answer.text));
    const isBusy = answer.status === 429 || answer.status === 503;
    if (!isBusy || attempt === MAX_ATTEMPTS) {
      throw new Problem("unavailable", `batch ${place + 1}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
    await clock.sleep(Math.min(Math.max(answer.retryAfterSeconds, 1), MAX_WAIT_SECONDS) * 1000);
  }
}
