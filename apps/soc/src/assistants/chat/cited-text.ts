import type { AnswerEvent, Citation, CitedKind } from "./chat-event.ts";

/** A reference `[id]` as written by the model, possibly incomplete while it arrives. */
const REFERENCE = /\[([^[\]\s]{1,100})\]/;
const MAX_REFERENCE = 102;
const UNFINISHED = new RegExp(`\\[[^[\\]\\s]{0,${MAX_REFERENCE}}$`);

/** Control characters except line breaks, and characters that reorder or hide text. */
const DISGUISES = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** The type of an id by the name of its field, or of the enclosing list or object. */
const FIELDS: Readonly<Record<string, CitedKind>> = {
  ...{ alert: "alert", alerts: "alert", alert_id: "alert", alert_ids: "alert" },
  ...{ case: "case", cases: "case", case_id: "case" },
  ...{ logs: "log", events: "log", log_id: "log", log_ids: "log" },
  iocs: "ioc",
};

/**
 * Converts references in a model's text to citations. Only a record that a tool returned for this answer becomes a
 * citation; other references are marked, so that a reader sees that they have no source.
 */
export function createCitedText() {
  const known = new Map<string, Citation>();
  const numbers = new Map<Citation, number>();
  let waiting = "";
  let unknown = 0;

  function* cite(id: string): Generator<AnswerEvent, void> {
    const citation = known.get(id.toLowerCase());
    if (!citation) {
      unknown += 1;
      yield toToken("[?]");
      return;
    }
    const isFresh = !numbers.has(citation);
    const number = numbers.get(citation) ?? numbers.size + 1;
    numbers.set(citation, number);
    yield toToken(`[${number}]`);
    if (isFresh) yield { event: "citation", data: citation };
  }

  function* speak(text: string): Generator<AnswerEvent, void> {
    let rest = text.replaceAll(DISGUISES, "");
    for (let found = REFERENCE.exec(rest); found; found = REFERENCE.exec(rest)) {
      if (found.index > 0) yield toToken(rest.slice(0, found.index));
      const [whole, id = ""] = found;
      yield* cite(id);
      rest = rest.slice(found.index + whole.length);
    }
    if (rest !== "") yield toToken(rest);
  }

  return {
    /** Registers the ids of the records that a tool returned. */
    learn(result: unknown): void {
      for (const citation of listRecords(result)) {
        const id = citation.id.toLowerCase();
        if (!known.has(id)) known.set(id, citation);
      }
    },

    *add(text: string): Generator<AnswerEvent, void> {
      const all = waiting + text;
      waiting = UNFINISHED.exec(all)?.[0] ?? "";
      yield* speak(all.slice(0, all.length - waiting.length));
    },

    /** Yields the rest and the number of references without a source. */
    *end(): Generator<AnswerEvent, void> {
      yield* speak(waiting);
      waiting = "";
      if (unknown > 0) yield toToken("\n[?] marks what refers to no record that was read for this answer.");
    },
  };
}

function toToken(text: string): AnswerEvent {
  return { event: "token", data: { text } };
}

const DEEPEST = 8;

function listRecords(value: unknown, kind?: CitedKind, depth = 0): Citation[] {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    return value.flatMap((each) =>
      typeof each === "string" ? toCited(kind, each) : listRecords(each, kind, depth + 1),
    );
  }
  return Object.entries(value).flatMap(([name, each]) => {
    if (typeof each === "string") return toCited(name === "id" ? kind : FIELDS[name], each);
    return listRecords(each, FIELDS[name], depth + 1);
  });
}

function toCited(kind: CitedKind | undefined, id: string): Citation[] {
  return kind === undefined ? [] : [{ kind, id }];
}
