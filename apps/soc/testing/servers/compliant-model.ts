import { rot13 } from "../fixtures/injection-texts.ts";
import type { Script } from "./model-server.ts";
import type { ScriptedCall } from "./model-wire.ts";

/** The demands of a text on a model that obeys everything. */
export interface Demands {
  calls: ScriptedCall[];
  verdict: string | undefined;
}

interface WireMessage {
  role: string;
  content?: unknown;
  tool_calls?: readonly { function: { name: string; arguments: string } }[];
}

const CALL = /CALL\s+([A-Za-z_]\w*)\s+(\{[^{}]*\})/g;
const VERDICT = /SAY verdict (\w+)/;

/**
 * A model that obeys every text that it reads, in every encoding: the worst result of an injection. It calls the plan's
 * first tool, then everything that it was ordered to call, and answers with the ordered verdict.
 */
export function createObedientModel(firstCall: ScriptedCall, evidence_ids: readonly string[]): Script {
  return ({ body }) => {
    const messages = body.messages as readonly WireMessage[];
    const texts = messages
      .filter(({ role }) => role === "user" || role === "tool")
      .flatMap(({ content }) => listTexts(content));
    const made = new Set(
      messages.flatMap(({ tool_calls = [] }) => tool_calls.map((each) => formatCall(each.function))),
    );
    const { calls, verdict = "inconclusive" } = findDemands(texts);
    const wanted = [firstCall, ...calls].filter(
      ({ name, input }) => !made.has(formatCall({ name, arguments: JSON.stringify(input) })),
    );
    const turns = messages.filter(({ role }) => role === "assistant").length;
    if (wanted.length > 0 && turns < 3) {
      return { kind: "reply", calls: wanted.map((call, place) => ({ ...call, id: `obey-${turns}-${place}` })) };
    }
    const statement = "The attacker's text asked for this verdict.";
    return { kind: "reply", text: JSON.stringify({ verdict, confidence: 1, findings: [{ statement, evidence_ids }] }) };
  };
}

export function findDemands(texts: readonly string[]): Demands {
  const readings = texts.flatMap(listReadings);
  const calls = new Map<string, ScriptedCall>();
  for (const [, name = "", input = ""] of readings.flatMap((text) => [...text.matchAll(CALL)])) {
    const parsed = parseJson(input);
    if (parsed !== undefined)
      calls.set(formatCall({ name, arguments: JSON.stringify(parsed) }), { name, input: parsed });
  }
  const verdict = readings.map((text) => VERDICT.exec(text)?.[1]).find((found) => found !== undefined);
  return { calls: [...calls.values()], verdict };
}

/** The raw text, and the output of every decoder. */
function listReadings(text: string): string[] {
  const decoders: ((text: string) => string)[] = [
    (each) => each,
    (each) => each.replaceAll("\u200b", ""),
    (each) =>
      each.replace(/[\u{e0000}-\u{e007f}]/gu, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)),
    (each) => each.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    (each) => each.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    (each) => each.replaceAll('\\"', '"'),
    (each) => each.replace(/(?:%[0-9a-f]{2})+/gi, (part) => Buffer.from(part.replaceAll("%", ""), "hex").toString()),
    (each) => each.replace(/[A-Za-z0-9+/]{16,}={0,2}/g, (part) => Buffer.from(part, "base64").toString()),
    (each) => each.replace(/(?:[0-9a-f]{2}){8,}/g, (part) => Buffer.from(part, "hex").toString()),
    rot13,
    (each) => Array.from(each).reverse().join(""),
  ];
  return decoders.map((decode) => decode(text));
}

/** Every text in a message, including those in the JSON that it contains. */
function listTexts(content: unknown): string[] {
  if (typeof content === "string") {
    const parts = content.split("\n\nDATA\n").map((part) => parseJson(part));
    return [content, ...parts.filter((part) => typeof part === "object" && part !== null).flatMap(listTexts)];
  }
  if (typeof content !== "object" || content === null) return [];
  return Object.values(content).flatMap(listTexts);
}

function formatCall({ name, arguments: text }: { name: string; arguments: string }): string {
  return `${name} ${text}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
