import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp, useLive, useMay } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { Split } from "../../../../design/split.tsx";
import { EmptyState, Notice, Skeleton, Stale } from "../../../../design/states.tsx";
import {
  createInvestigationsClient,
  type InvestigationDetail,
  investigationKeys,
  isOpen,
} from "../investigations-client.ts";
import { CaseButton } from "./case-button.tsx";
import { EvidencePane } from "./evidence-pane.tsx";
import { collectEvents, readField } from "./recorded-events.ts";
import { readSentences, type Sentence } from "./sentences.ts";
import { orderSteps } from "./steps.ts";
import { StepsPanel } from "./steps-panel.tsx";
import { StopButton } from "./stop-button.tsx";
import { AgentsPanel, RunLine } from "./story-parts.tsx";
import { storyPhrases } from "./story-phrases.ts";
import { StoryView } from "./story-view.tsx";
import "../investigations.css";
import "./story.css";

/** Poll interval: a running investigation emits no event per step. */
const RUNNING_MS = 2000;
const WIDE = "(width >= 1200px)";
const MAX_TITLE = 200;
const NO_STEPS: readonly never[] = [];

export function InvestigationPage() {
  const words = usePhrases(storyPhrases);
  const { server } = useApp();
  const { params } = useAddress();
  const id = params.id ?? "";
  const queries = useQueryClient();
  useLive({
    onEvents: (events) => {
      if (!events.some(({ subject_id }) => subject_id === id)) return;
      void queries.invalidateQueries({ queryKey: investigationKeys.one(id) });
      void queries.invalidateQueries({ queryKey: investigationKeys.transcript(id) });
    },
    onReset: () => undefined,
  });
  const { data, error, refetch, isStale, isFetching } = useQuery({
    queryKey: investigationKeys.one(id),
    queryFn: ({ signal }) => createInvestigationsClient(server).get(id, signal),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? RUNNING_MS : false),
  });
  const back = <Link to="/agents/investigations">{words.back}</Link>;
  if (data)
    return (
      <Stale isStale={isStale && isFetching && error !== null}>
        <Story key={id} record={data} error={error} onReadAgain={() => void refetch()} />
      </Stale>
    );
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <Page title={words.title} back={back}>
        <EmptyState title={words.notFound} text={words.notFoundText} />
      </Page>
    );
  }
  return (
    <Page title={words.title} back={back}>
      {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </Page>
  );
}

function useTranscript(record: InvestigationDetail) {
  const { server } = useApp();
  const mayRead = useMay("siem:search");
  return useQuery({
    queryKey: investigationKeys.transcript(record.investigation_id),
    queryFn: ({ signal }) => createInvestigationsClient(server).transcript(record.investigation_id, signal),
    enabled: mayRead,
    refetchInterval: isOpen(record) ? RUNNING_MS : false,
  });
}

interface AlertOfInvestigation {
  title: string;
  case_id: string | null;
}

/** The alert, for its title and its case; undefined if the investigation is of a question. */
function useAlert({ alert_id }: InvestigationDetail): AlertOfInvestigation | undefined {
  const { server } = useApp();
  const mayRead = useMay("alerts:read");
  const { data } = useQuery({
    queryKey: ["alerts", "one", alert_id],
    queryFn: ({ signal }) =>
      server.get<AlertOfInvestigation>(`/alerts/${encodeURIComponent(alert_id ?? "")}`, { signal }),
    enabled: mayRead && alert_id !== null,
    retry: false,
  });
  return data;
}

/** The sentence whose evidence is shown, by its number in the address. */
function useSentence(count: number) {
  const { search, change } = useAddress();
  const [isClosed, setIsClosed] = useState(() => search.s === undefined && !matchMedia(WIDE).matches);
  const wanted = Number(search.s ?? 1) - 1;
  const at = Number.isInteger(wanted) ? Math.max(0, Math.min(wanted, count - 1)) : 0;
  const choose = (next: number) => {
    setIsClosed(false);
    change({ s: String(Math.max(0, Math.min(next, count - 1)) + 1) });
  };
  return {
    at: count === 0 || isClosed ? undefined : at,
    isChosen: search.s !== undefined,
    choose,
    // The first key press opens the evidence, the next ones move.
    move: (by: number) => choose(isClosed ? at : at + by),
    close: () => setIsClosed(true),
  };
}

interface StoryProps {
  record: InvestigationDetail;
  /** The last refresh failed; the displayed data is older. */
  error: unknown;
  onReadAgain: () => void;
}

function useStoryCommands(sentence: ReturnType<typeof useSentence>): void {
  const words = usePhrases(storyPhrases);
  const { go } = useAddress();
  const goBack = () => (history.length > 1 ? history.back() : go("/agents/investigations"));
  const move = { group: words.title, isHidden: true, isRepeatable: true };
  useCommands([
    { ...move, id: "story.next", label: words.next, keys: ["j"], isInStatusLine: true, run: () => sentence.move(1) },
    { ...move, id: "story.previous", label: words.previous, keys: ["k"], run: () => sentence.move(-1) },
    {
      ...{ id: "story.close", label: words.closePane, group: words.title, keys: ["Escape"], isHidden: true },
      isEnabled: sentence.at !== undefined,
      run: sentence.close,
    },
    { id: "story.back", label: words.goBack, group: words.title, keys: ["u"], run: goBack },
  ]);
}

function Story({ record, error, onReadAgain }: StoryProps) {
  const words = usePhrases(storyPhrases);
  const transcript = useTranscript(record);
  const alert = useAlert(record);
  const sentences = useMemo(() => readSentences(record.findings), [record.findings]);
  const steps = transcript.data?.steps ?? NO_STEPS;
  const recorded = useMemo(() => collectEvents(steps), [steps]);
  const sentence = useSentence(sentences.length);
  useStoryCommands(sentence);
  const title = alert?.title ?? readTitle(record) ?? words.title;
  const caseId = record.case_id ?? alert?.case_id ?? null;
  const shown: Sentence | undefined = sentence.at === undefined ? undefined : sentences[sentence.at];
  const pane = shown && (
    <EvidencePane
      key={sentence.at}
      sentence={shown}
      recorded={recorded}
      isReading={transcript.isLoading}
      onClose={sentence.close}
    />
  );
  const main = (
    <div className="story-main">
      {error !== null && <FailedPart error={error} onRetry={onReadAgain} />}
      <RunLine record={record} steps={transcript.data?.steps} />
      <Conclusion record={record} />
      <Panel title={words.story}>
        {sentences.length === 0 && <p className="soft">{isOpen(record) ? words.noSentencesYet : words.noSentences}</p>}
        <StoryView sentences={sentences} at={sentence.at} isChosen={sentence.isChosen} onChoose={sentence.choose} />
      </Panel>
      <Recommended record={record} caseId={caseId} />
      <AgentsPanel record={record} />
      <Steps transcript={transcript} record={record} />
    </div>
  );
  return (
    <Page
      title={safeText(title.slice(0, MAX_TITLE))}
      isFull
      back={<Link to="/agents/investigations">{words.back}</Link>}
      tools={
        <>
          {isOpen(record) && <StopButton record={record} onStopped={onReadAgain} />}
          {record.alert_id !== null && alert && (
            <Link className="button" to={`/alerts/${record.alert_id}`}>
              {words.alert}
            </Link>
          )}
          <CaseButton record={record} title={title} caseId={caseId} />
        </>
      }
    >
      <div className="story-page">
        <Split paneLabel={words.evidence} pane={pane} main={main} />
      </div>
    </Page>
  );
}

function readTitle({ alert_context }: InvestigationDetail): string | undefined {
  const fields = { id: "", ...alert_context };
  return readField(fields, "title") ?? readField(fields, "description");
}

function Conclusion({ record }: { record: InvestigationDetail }) {
  const words = usePhrases(storyPhrases);
  const question = record.alert_id === null ? readField({ id: "", ...record.alert_context }, "description") : undefined;
  return (
    <>
      {question !== undefined && (
        <Panel title={words.question}>
          <p className="story-long">
            <SafeText>{question}</SafeText>
          </p>
        </Panel>
      )}
      {record.error !== null && (
        <Notice tone={record.status === "failed" ? "failed" : "waiting"}>
          <strong>{words.whyFailed}.</strong> <SafeText>{record.error}</SafeText>
        </Notice>
      )}
      {record.summary !== null && record.summary !== "" && (
        <Panel title={words.conclusion}>
          <p className="story-long">
            <SafeText>{record.summary}</SafeText>
          </p>
        </Panel>
      )}
    </>
  );
}

/** Recommendations of the agents. Nothing starts here: the case previews and approves playbooks. */
function Recommended({ record, caseId }: { record: InvestigationDetail; caseId: string | null }) {
  const words = usePhrases(storyPhrases);
  const mayRead = useMay("cases:read");
  if (record.recommended_actions.length === 0) return null;
  return (
    <Panel title={words.recommended}>
      <ul className="story-actions">
        {record.recommended_actions.map((action, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an agent may repeat a sentence.
          <li key={at}>
            <SafeText>{action}</SafeText>
          </li>
        ))}
      </ul>
      <p className="soft">{words.gate}</p>
      {mayRead &&
        (caseId === null ? (
          <p>{words.openCaseFirst}</p>
        ) : (
          <Link className="button" to={`/cases/${caseId}/runs`}>
            {words.runInCase}
          </Link>
        ))}
    </Panel>
  );
}

interface StepsProps {
  transcript: ReturnType<typeof useTranscript>;
  record: InvestigationDetail;
}

function Steps({ transcript: { data, error, refetch }, record }: StepsProps) {
  const words = usePhrases(storyPhrases);
  const mayRead = useMay("siem:search");
  const ordered = useMemo(() => (data ? orderSteps(data.steps, record) : []), [data, record]);
  if (data && !data.is_expired) return <StepsPanel steps={ordered} />;
  return (
    <Panel title={words.steps}>
      {!mayRead && <p className="soft">{words.stepsRefused}</p>}
      {data?.is_expired && <p className="soft">{words.stepsExpired}</p>}
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {mayRead && !data && !error && <Skeleton rows={3} />}
    </Panel>
  );
}
