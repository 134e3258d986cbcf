import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { Finding } from "../investigations/findings.ts";
import { VERDICTS } from "../investigations/verdict.ts";

const closed = { additionalProperties: false } as const;
const Id = Type.String({ minLength: 1, maxLength: 200 });

const ModelFinding = Type.Object(
  {
    statement: Type.String({ minLength: 1, maxLength: 1000, pattern: "\\S" }),
    evidence_ids: Type.Array(Id, { minItems: 1, maxItems: 50 }),
    claims: Type.Optional(
      Type.Array(
        Type.Object(
          {
            log_id: Id,
            field: Type.String({ minLength: 1, maxLength: 200 }),
            value: Type.String({ minLength: 1, maxLength: 1000 }),
          },
          closed,
        ),
        { maxItems: 50 },
      ),
    ),
  },
  closed,
);

const ModelAnswer = Type.Object(
  {
    verdict: Type.Enum([...VERDICTS]),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    findings: Type.Array(Type.Unknown(), { maxItems: 100 }),
  },
  closed,
);

/** The statement of a model about an alert, before the checker has verified it. */
export interface ModelFindings extends Omit<Static<typeof ModelAnswer>, "findings"> {
  findings: Finding[];
  /** The number of findings without the required form. */
  dropped: number;
}

/** The answer format in the model's system prompt. */
export const ANSWER_FORM =
  'Answer with one JSON object and nothing else: {"verdict": "malicious" | "benign" | "inconclusive", "confidence": 0 to 1, ' +
  '"findings": [{"statement": one sentence, "evidence_ids": [ids of events], "claims": [{"log_id", "field", "value"}]}]}. ' +
  "Each statement cites the events that show it.";

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;
const MAX_CHARACTERS = 200_000;

/** Parses the final answer of a model; undefined if it does not have the required form, which counts as no answer. */
export function parseModelFindings(text: string): ModelFindings | undefined {
  const answer = parseJson(text);
  if (!Value.Check(ModelAnswer, answer)) return undefined;
  const { verdict, confidence, findings } = Value.Parse(ModelAnswer, answer);
  const read = findings.flatMap((each): Finding[] => {
    if (!Value.Check(ModelFinding, each)) return [];
    const { statement, evidence_ids, claims = [] } = Value.Parse(ModelFinding, each);
    return [{ statement, evidence_ids, claims }];
  });
  return { verdict, confidence, findings: read, dropped: findings.length - read.length };
}

function parseJson(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CHARACTERS) return undefined;
  try {
    return JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
  } catch {
    return undefined;
  }
}
