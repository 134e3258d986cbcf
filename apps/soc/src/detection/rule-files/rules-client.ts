import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { parseDocument } from "../rules/rule-document.ts";
import type { RuleDocument } from "./rule-file.ts";

export interface RulesAnswer {
  status: number;
  retryAfterSeconds: number;
  text: string;
}

/** Sends one request to the service, with the caller's key or token. */
export type Send = (method: "GET" | "POST", path: string, body?: object) => Promise<RulesAnswer>;

export interface PushResult {
  /** The ids of the rules in the order of the documents; undefined for a refused one. */
  ids: (string | undefined)[];
  refused: string[];
}

/** Far below the limit of a request, which is 1 MiB of JSON. */
const MAX_REQUEST_CHARACTERS = 500_000;
const DOCUMENTS_BATCH_SIZE = 200;
const DELETIONS_BATCH_SIZE = 500;
const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 120;
const DOCUMENT_START = /^---\n/m;

/** The routes of the service that a folder of rules needs. */
export function createRulesClient(send: Send, clock: Pick<Clock, "sleep">) {
  async function ask(method: "GET" | "POST", path: string, body?: object): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, retryAfterSeconds, text } = await send(method, path, body);
      if (status >= 200 && status < 300) return text;
      if (status !== 429 || attempt === MAX_ATTEMPTS) {
        throw new Problem("unavailable", `${method} ${path} answered ${status}: ${text.slice(0, 500)}`);
      }
      await clock.sleep(Math.min(Math.max(retryAfterSeconds, 1), MAX_WAIT_SECONDS) * 1000);
    }
  }

  async function pushBatch(texts: readonly string[]): Promise<PushResult> {
    const text = await ask("POST", "/detections/rules/import", { yaml: texts.join("---\n") });
    const answer = Value.Parse(ImportAnswer, JSON.parse(text));
    const { items, refused } = "preview" in answer ? answer.preview : answer;
    const byDocument = new Map(refused.map(({ document, reasons }) => [document, reasons]));
    const stored = items.values();
    const ids = texts.map((_, at) => (byDocument.has(at + 1) ? undefined : stored.next().value?.rule.id));
    return { ids, refused: refused.map(({ title, reasons }) => `${title}: ${reasons.join("; ")}`) };
  }

  return {
    async list(): Promise<RuleDocument[]> {
      const stream = await ask("GET", "/detections/rules/export");
      return stream
        .split(DOCUMENT_START)
        .filter((text) => text !== "")
        .map(toDocumented);
    },

    async push(texts: readonly string[]): Promise<PushResult> {
      const pushed: PushResult = { ids: [], refused: [] };
      for (const batch of toBatches(texts)) {
        const { ids, refused } = await pushBatch(batch);
        pushed.ids.push(...ids);
        pushed.refused.push(...refused);
      }
      return pushed;
    },

    async remove(ids: readonly string[]): Promise<void> {
      for (let at = 0; at < ids.length; at += DELETIONS_BATCH_SIZE) {
        const batch = ids.slice(at, at + DELETIONS_BATCH_SIZE);
        await ask("POST", "/detections/rules/bulk", { ids: batch, delete: true });
      }
    },
  };
}
export type RulesClient = ReturnType<typeof createRulesClient>;

const Imported = Type.Object({
  items: Type.Array(Type.Object({ rule: Type.Object({ id: Type.String() }) })),
  refused: Type.Array(
    Type.Object({ document: Type.Integer(), title: Type.String(), reasons: Type.Array(Type.String()) }),
  ),
});
const ImportAnswer = Type.Union([Type.Object({ preview: Imported }), Imported]);

/** Reads the title and the ids from the text, so that the rule need not be validated again. */
function toDocumented(text: string): RuleDocument {
  const { id = "", name, sigma = "" } = parseDocument(text);
  const readLine = (field: string) => (new RegExp(`^${field}:[ \\t]*(.+)$`, "m").exec(sigma)?.[1] ?? "").trim();
  return { id, sigmaId: readLine("id"), title: name ?? readLine("title"), text };
}

function* toBatches(texts: readonly string[]): Generator<string[], void, undefined> {
  let batch: string[] = [];
  let size = 0;
  for (const text of texts) {
    const characters = JSON.stringify(text).length;
    const isFull = batch.length === DOCUMENTS_BATCH_SIZE || size + characters > MAX_REQUEST_CHARACTERS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(text);
    size += characters;
  }
  if (batch.length > 0) yield batch;
}
