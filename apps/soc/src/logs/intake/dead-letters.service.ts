import type { Clock } from "@kit/clock";
import { notFound, Problem } from "@kit/problem";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import type { Page } from "../../foundation/lists/page.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { DeadLetter } from "./dead-letter.ts";
import type { DeadLettersStore, ReadableDeadLetters } from "./dead-letters.store.ts";
import { readBulkItems } from "./formats/bulk-events.ts";
import { readHecEvents } from "./formats/hec-events.ts";
import { readJsonEvents } from "./formats/json-events.ts";
import { parsed } from "./formats/json-values.ts";
import { readOtlpEvents } from "./formats/otlp-events.ts";
import type { DeadLetterBody } from "./intake.schema.ts";
import type { Accepted, IntakeService } from "./intake.service.ts";
import type { Format, Found } from "./pipeline/event.ts";
import { readSyslog } from "./syslog/syslog-message.ts";

export interface DeadLettersServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: ReadableDeadLetters & Pick<DeadLettersStore, "remove">; showcase: ReadableDeadLetters };
  intake: Pick<IntakeService, "accept">;
  clock: Pick<Clock, "now">;
}
export type DeadLettersService = ReturnType<typeof createDeadLettersService>;

export function createDeadLettersService({ runtime, stores, intake, clock }: DeadLettersServiceDeps) {
  async function get(id: string): Promise<DeadLetter> {
    const letter = await (await runtime.choose(stores)).find(id);
    if (!letter) throw notFound("dead letter", id);
    return letter;
  }

  return {
    async list(query: PageQuery): Promise<Page<DeadLetterBody>> {
      const page = await (await runtime.choose(stores)).list(query);
      return { ...page, items: page.items.map(toDeadLetterBody) };
    },

    get: async (id: string): Promise<DeadLetterBody> => toDeadLetterBody(await get(id)),

    /**
     * Parses the event again, from its stored text or from the given one. The dead letter is removed once the event is
     * stored, and stays otherwise.
     */
    async replay(id: string, raw?: string): Promise<Accepted> {
      const letter = await get(id);
      if (letter.is_cut && raw === undefined) {
        throw new Problem("conflict", `dead letter '${id}' was truncated and cannot be replayed without its full text`);
      }
      const found = readAgain(letter.format, raw ?? letter.raw.toString("utf8"), clock.now());
      const unreadable = found.find((each) => "reason" in each);
      if (found.length === 0 || unreadable) {
        const reason = unreadable && "reason" in unreadable ? unreadable.reason : "contains no event";
        throw new Problem("conflict", `dead letter '${id}' cannot be read: ${reason}`);
      }
      const { format, sender, site, source } = letter;
      const named = { ...(site && { site }), ...(source && source !== "unknown" && { source }) };
      const { accepted, rejected, dead_letter_ids } = await intake.accept(found, {
        format,
        sender,
        ...named,
        // Idempotent: if it is replayed twice concurrently, or again after a crash, the event is stored once.
        batchId: `replay of ${id}`,
      });
      if (!dead_letter_ids.includes(id)) await stores.database.remove(id);
      return { accepted, rejected, dead_letter_ids };
    },
  };
}

function readAgain(format: Format, raw: string, now: Date): readonly Found[] {
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

function toDeadLetterBody({ at, raw, ...letter }: DeadLetter): DeadLetterBody {
  return { ...letter, at: at.toISOString(), raw: raw.toString("utf8") };
}
