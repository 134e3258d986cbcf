import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { readBulkItems } from "./formats/bulk-events.ts";
import type { Format, ParseResult } from "./formats/event.ts";
import { readHecEvents } from "./formats/hec-events.ts";
import { readJsonEvents } from "./formats/json-events.ts";
import { parsed } from "./formats/json-values.ts";
import { readOtlpEvents } from "./formats/otlp-events.ts";
import { readSyslog } from "./formats/syslog-message.ts";
import type { DeadLetterBody } from "./intake.schema.ts";
import type { IngestResult, IntakeService } from "./intake.service.ts";
import type { DeadLetter } from "./pipeline/dead-letter.ts";
import type { DeadLettersStore, ReadableDeadLetters } from "./pipeline/dead-letters.store.ts";

export interface DeadLettersServiceDeps {
  db: Kysely<Tables>;
  audit: Recorder;
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ReadableDeadLetters & Pick<DeadLettersStore, "remove">; showcase: ReadableDeadLetters };
  intake: Pick<IntakeService, "accept">;
  clock: Pick<Clock, "now">;
}
export type DeadLettersService = ReturnType<typeof createDeadLettersService>;

export function createDeadLettersService({ db, audit, runtime, stores, intake, clock }: DeadLettersServiceDeps) {
  async function get(caller: Caller, id: string): Promise<DeadLetter> {
    const letter = await (await runtime.choose<ReadableDeadLetters>(stores)).find(id);
    const sender = findOwnSender(caller);
    if (!letter || (sender !== undefined && letter.sender !== sender)) throw notFound("dead letter", id);
    return letter;
  }

  async function remove({ username }: Caller, letter: DeadLetter, details: object): Promise<void> {
    await db.transaction().execute(async (tx) => {
      if (!(await stores.database.remove(tx, letter.id))) return;
      await audit.record(tx, {
        actor: username,
        action: "dead_letter.replayed",
        subject_type: "dead_letter",
        subject_id: letter.id,
        details: { ...details, source: letter.source, original_sender: letter.sender },
      });
    });
  }

  return {
    async list(caller: Caller, query: PageQuery): Promise<Page<DeadLetterBody>> {
      const page = await (await runtime.choose<ReadableDeadLetters>(stores)).list(query, findOwnSender(caller));
      return { ...page, items: page.items.map(toDeadLetterBody) };
    },

    get: async (caller: Caller, id: string): Promise<DeadLetterBody> => toDeadLetterBody(await get(caller, id)),

    /**
     * Parses the event again, from its stored text or from the given one. The dead letter is removed once the event is
     * stored, otherwise it remains. A changed text is stored under the name of the caller. Both are stored for a site
     * of the sender.
     */
    async replay(caller: Caller, id: string, raw?: string): Promise<IngestResult> {
      const letter = await get(caller, id);
      const found = readEvents(letter, raw, clock.now());
      const { format, site, sites, source } = letter;
      const isChanged = raw !== undefined && raw !== letter.raw.toString("utf8");
      const sender = isChanged ? caller.username : letter.sender;
      const named = {
        ...(site && { site }),
        ...(sites && { sites }),
        ...(source && source !== "unknown" && { source }),
      };
      const { accepted, rejected, dead_letter_ids } = await intake.accept(found, {
        format,
        sender,
        ...named,
        // Idempotent: replayed twice concurrently, or again after a crash, the event is stored once.
        batchId: `replay of ${id}`,
      });
      if (!dead_letter_ids.includes(id)) await remove(caller, letter, { sender, is_changed: isChanged });
      return { accepted, rejected, dead_letter_ids };
    },
  };
}

/** An API key sees only its own events; undefined for a person, who sees all. */
function findOwnSender({ kind, username }: Caller): string | undefined {
  return kind === "api_key" ? username : undefined;
}

function readEvents(
  { id, is_cut, format, raw }: DeadLetter,
  given: string | undefined,
  now: Date,
): readonly ParseResult[] {
  if (is_cut && given === undefined) {
    throw new Problem("conflict", `dead letter '${id}' was truncated and cannot be replayed without its full text`);
  }
  const found = readAgain(format, given ?? raw.toString("utf8"), now);
  const unreadable = found.find((each) => "reason" in each);
  if (found.length === 0 || unreadable) {
    const reason = unreadable && "reason" in unreadable ? unreadable.reason : "contains no event";
    throw new Problem("conflict", `dead letter '${id}' cannot be read: ${reason}`);
  }
  return found;
}

function readAgain(format: Format, raw: string, now: Date): readonly ParseResult[] {
  switch (format) {
    case "json":
      return readJsonEvents(raw);
    case "hec":
      return readHecEvents(raw);
    case "bulk":
      return readBulkItems(raw).map(({ found }) => found);
    case "otlp":
      return readOtlpEvents(parsed(raw)) ?? [];
    case "syslog":
      return [readSyslog(raw, now)];
    default:
      return format satisfies never;
  }
}

function toDeadLetterBody({ at, raw, sites: _, ...letter }: DeadLetter): DeadLetterBody {
  return { ...letter, at: at.toISOString(), raw: raw.toString("utf8") };
}
