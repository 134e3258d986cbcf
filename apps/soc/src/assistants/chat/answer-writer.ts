import type { AnswerEvent, Citation } from "./chat-event.ts";

/** Emits the sentences of one answer and numbers their citations. */
export interface AnswerWriter {
  /** Emits the text, the numbers of its citations, and its end. */
  say: (text: string, cited?: readonly Citation[], end?: string) => Generator<AnswerEvent, void>;
}

/** A few words, so that the text appears progressively. */
const TOKEN_LENGTH = 32;

export function createAnswerWriter(): AnswerWriter {
  const numbers = new Map<string, number>();

  function* say(text: string, cited: readonly Citation[] = [], end = ". "): Generator<AnswerEvent, void> {
    const fresh: Citation[] = [];
    const marks = cited.map((citation) => {
      const key = `${citation.kind} ${citation.id}`;
      if (!numbers.has(key)) fresh.push(citation);
      const number = numbers.get(key) ?? numbers.size + 1;
      numbers.set(key, number);
      return `[${number}]`;
    });
    const spoken = marks.length === 0 ? text : `${text} ${marks.join("")}`;
    for (const part of splitTokens(`${spoken}${end}`)) yield { event: "token", data: { text: part } };
    for (const data of fresh) yield { event: "citation", data };
  }

  return { say };
}

function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  let token = "";
  for (const [word] of text.matchAll(/\s*\S+\s*/gu)) {
    if (token !== "" && token.length + word.length > TOKEN_LENGTH) {
      tokens.push(token);
      token = "";
    }
    token += word;
  }
  return token === "" ? tokens : [...tokens, token];
}
