import type { Finding } from "../investigations-client.ts";

/** `not_shown`: no event, or not every event, supports the sentence. `refuted`: an event contradicts it. */
export type SentenceState = "shown" | "not_shown" | "refuted";

export interface Citation {
  id: string;
  /** Its mark in the story. The same event has the same number everywhere. */
  number: number;
  /** The service found no event with this id. */
  isMissing: boolean;
}

export interface CheckedClaim {
  log_id: string;
  field: string;
  value: string;
  isRefuted: boolean;
}

/** A finding as a sentence of the story. */
export interface Sentence {
  text: string;
  state: SentenceState;
  citations: Citation[];
  claims: CheckedClaim[];
  /** Other claims that the service could not find in the events. */
  reasons: string[];
  /** The language model that wrote the sentence; undefined if the platform did. */
  model: string | undefined;
}

/** The two reasons that the service formats. They are shown at the event instead of as a sentence. */
const sayMissing = (id: string) => `event ${id} does not exist`;
const sayRefuted = ({ log_id, field, value }: Finding["claims"][number]) =>
  `event ${log_id} has no ${field} "${value}"`;

/** The findings in order, with events numbered by their first mention. */
export function readSentences(findings: readonly Finding[]): Sentence[] {
  const numbers = new Map<string, number>();
  return findings.map((finding) => {
    const { statement, claims, unsupported, is_supported: isSupported } = finding;
    const ids = [...new Set(finding.evidence_ids)];
    for (const id of ids) if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    const citations = ids.map((id) => ({
      id,
      number: numbers.get(id) ?? 0,
      isMissing: unsupported.includes(sayMissing(id)),
    }));
    const checked = claims.map((claim) => ({ ...claim, isRefuted: unsupported.includes(sayRefuted(claim)) }));
    const said = new Set([...ids.map(sayMissing), ...claims.map(sayRefuted)]);
    return {
      text: statement,
      state: judge(isSupported && ids.length > 0, checked),
      citations,
      claims: checked,
      reasons: unsupported.filter((reason) => !said.has(reason)),
      model: finding.model,
    };
  });
}

function judge(isShown: boolean, claims: readonly CheckedClaim[]): SentenceState {
  if (claims.some(({ isRefuted }) => isRefuted)) return "refuted";
  return isShown ? "shown" : "not_shown";
}
