import { useQuery } from "@tanstack/react-query";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { investigationKeys } from "../investigations-client.ts";
import { ANY_FIELD, type EventFields, readField } from "./recorded-events.ts";
import type { CheckedClaim, Citation, Sentence } from "./sentences.ts";
import { storyPhrases } from "./story-phrases.ts";
import { StateBadge } from "./story-view.tsx";

export interface EvidencePaneProps {
  sentence: Sentence;
  recorded: ReadonlyMap<string, EventFields>;
  /** Whether the recorded steps are still loading: their events need no separate request. */
  isReading: boolean;
  onClose: () => void;
}

const MAX_SHOWN = 5;

/** The events of one sentence, each with the values that the sentence claims. */
export function EvidencePane({ sentence, recorded, isReading, onClose }: EvidencePaneProps) {
  const words = usePhrases(storyPhrases);
  const { count } = useNumbers();
  const [isAll, setIsAll] = useState(false);
  const { citations, claims, reasons, state, model } = sentence;
  const shown = isAll ? citations : pickFirst(citations, claims);
  return (
    <div className="evidence" aria-live="polite">
      <header className="evidence-head">
        <h2>{words.evidence}</h2>
        <StateBadge state={state} />
        <IconButton size="s" icon={<X />} label={words.closePane} keys={["Esc"]} onClick={onClose} />
      </header>
      <p className="evidence-sentence">
        <SafeText>{sentence.text}</SafeText>
      </p>
      <p className="soft">{words.stateTexts[state]}</p>
      {model !== undefined && (
        <p className="soft">
          {words.writtenBy}: <SafeText isMono>{model}</SafeText>
        </p>
      )}
      {reasons.length > 0 && (
        <ul className="evidence-reasons">
          {reasons.map((reason, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a reason may be repeated.
            <li key={at}>
              <SafeText>{reason}</SafeText>
            </li>
          ))}
        </ul>
      )}
      {citations.length === 0 && <p>{words.noEvidence}</p>}
      {shown.map((citation) => (
        <EventCard
          key={citation.id}
          citation={citation}
          claims={claims.filter(({ log_id }) => log_id === citation.id)}
          recorded={recorded.get(citation.id)}
          isReading={isReading}
        />
      ))}
      {shown.length < citations.length && (
        <Button size="s" onClick={() => setIsAll(true)}>
          {count(citations.length - shown.length, words.more)}
        </Button>
      )}
    </div>
  );
}

/** Refuted and missing evidence is always visible, not behind the button. */
function pickFirst(citations: readonly Citation[], claims: readonly CheckedClaim[]): Citation[] {
  const refuted = new Set(claims.filter(({ isRefuted }) => isRefuted).map(({ log_id }) => log_id));
  const isBad = ({ id, isMissing }: Citation) => isMissing || refuted.has(id);
  const kept = new Set([...citations.filter(isBad), ...citations.slice(0, MAX_SHOWN)]);
  return citations.filter((citation) => kept.has(citation));
}

interface EventCardProps {
  citation: Citation;
  claims: readonly CheckedClaim[];
  recorded: EventFields | undefined;
  isReading: boolean;
}

function EventCard({ citation, claims, recorded, isReading }: EventCardProps) {
  const words = usePhrases(storyPhrases);
  const { server } = useApp();
  const mayRead = useMay("siem:read");
  const { data, error, refetch } = useQuery({
    queryKey: investigationKeys.log(citation.id),
    queryFn: ({ signal }) => server.get<EventFields>(`/siem/logs/${encodeURIComponent(citation.id)}`, { signal }),
    enabled: recorded === undefined && !isReading && !citation.isMissing && mayRead,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const event = recorded ?? data;
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <article className="evidence-event" aria-label={fill(words.evidenceNumber, { number: citation.number })}>
      <header className="evidence-event-head">
        <bdi className="story-mark" dir="ltr">
          [{citation.number}]
        </bdi>
        {event ? (
          <EventTime event={event} />
        ) : (
          <bdi className="mono soft evidence-id" dir="ltr">
            <SafeText isMono>{citation.id}</SafeText>
          </bdi>
        )}
        {event && <Link to={`/hunt/log/${encodeURIComponent(citation.id)}`}>{words.openLog}</Link>}
      </header>
      {citation.isMissing && <p className="evidence-bad">{words.missing}</p>}
      {isGone && <p className="evidence-bad">{words.gone}</p>}
      {error && !isGone && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!event && !citation.isMissing && !error && (mayRead || isReading) && <Skeleton rows={2} />}
      {!event && !citation.isMissing && !mayRead && !isReading && <p className="soft">{words.mayNotRead}</p>}
      {event && <EventBody event={event} />}
      {claims.map((claim, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a claim may be repeated.
        <ClaimRow key={at} claim={claim} event={event} />
      ))}
    </article>
  );
}

function EventTime({ event }: { event: EventFields }) {
  const time = useTime();
  const at = readField(event, "timestamp") ?? "";
  // A recorded time is a text of the record: show it unchanged if it is no date.
  return <span className="mono soft">{Number.isNaN(Date.parse(at)) ? at : time.dateTime(at)}</span>;
}

const SHOWN_FIELDS = ["source", "host", "user", "process", "action", "outcome", "src_ip", "dst_ip"] as const;
const MAX_MESSAGE = 600;

function EventBody({ event }: { event: EventFields }) {
  const fields = SHOWN_FIELDS.flatMap((field) => {
    const value = readField(event, field);
    return value === undefined ? [] : [{ field, value }];
  });
  const message = readField(event, "message") ?? readField(event, "raw") ?? "";
  return (
    <>
      <p className="evidence-message">
        <SafeText isMono>{message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message}</SafeText>
      </p>
      <p className="evidence-fields">
        {fields.map(({ field, value }) => (
          <bdi key={field} dir="ltr">
            <span className="soft mono">{field}=</span>
            <SafeText isMono>{value.slice(0, MAX_MESSAGE)}</SafeText>
          </bdi>
        ))}
      </p>
    </>
  );
}

/** The claimed value beside the value of the event. */
function ClaimRow({ claim, event }: { claim: CheckedClaim; event: EventFields | undefined }) {
  const words = usePhrases(storyPhrases);
  const found = event && readField(event, claim.field);
  return (
    <div className={claim.isRefuted ? "evidence-claim evidence-claim-refuted" : "evidence-claim"}>
      {claim.isRefuted ? <X size={14} aria-hidden="true" /> : <Check size={14} aria-hidden="true" />}
      <span>
        {words.says}{" "}
        {claim.field === ANY_FIELD ? (
          <span className="soft">{words.anywhere}</span>
        ) : (
          <SafeText isMono>{claim.field}</SafeText>
        )}{" "}
        <strong>
          <SafeText isMono>{claim.value}</SafeText>
        </strong>
        {claim.isRefuted && event && (
          <span className="evidence-has">
            {words.has}:{" "}
            {found === undefined ? words.hasNothing : <SafeText isMono>{found.slice(0, MAX_MESSAGE)}</SafeText>}
          </span>
        )}
      </span>
      <Badge tone={claim.isRefuted ? "failed" : "ok"}>{claim.isRefuted ? words.refuted : words.confirmed}</Badge>
    </div>
  );
}
