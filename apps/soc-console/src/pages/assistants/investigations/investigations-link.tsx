import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { ChangesProvider, useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp, useLive, useMay } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { FailedPart } from "../../../app/page/page.tsx";
import { Button } from "../../../design/button.tsx";
import { Panel } from "../../../design/panel.tsx";
import { InvestigationRow } from "./investigation-row.tsx";
import { createInvestigationsClient, investigationKeys } from "./investigations-client.ts";
import { investigationsPhrases } from "./investigations-phrases.ts";
import { startPhrases } from "./start-phrases.ts";

const MAX_SHOWN = 3;
/** A new investigation is an event, which reads the list again. */
const STALE_MS = 15_000;

type InvestigationsQuery = Readonly<Record<string, string | undefined>>;

/** Reads the newest investigations. A page that calls it while it loads reads them in its first request. */
export function useFoundInvestigations(query: InvestigationsQuery) {
  const { server } = useApp();
  const enabled = useMay("agents:read");
  const queryKey = investigationKeys.list({ ...query, limit: MAX_SHOWN });
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => createInvestigationsClient(server).list({ ...query, limit: MAX_SHOWN }, signal),
    staleTime: STALE_MS,
    enabled,
  });
  return { ...found, queryKey };
}

/** Links to the investigations of an alert, or of the alerts of a case. Hidden from users who may not read them. */
export function FoundInvestigations({ alertId, caseId }: { alertId?: string; caseId?: string }) {
  const mayRead = useMay("agents:read");
  if (!mayRead) return null;
  return (
    <ChangesProvider needs="investigation:trigger">
      <Found query={alertId === undefined ? { case_id: caseId } : { alert_id: alertId }} alertId={alertId} />
    </ChangesProvider>
  );
}

function Found({ query, alertId }: { query: InvestigationsQuery; alertId: string | undefined }) {
  const words = usePhrases(investigationsPhrases);
  const queries = useQueryClient();
  const { mayWrite } = useChanges();
  const { data, error, refetch, queryKey } = useFoundInvestigations(query);
  useLive({
    onEvents: (events) => {
      if (events.some(({ type }) => type.startsWith("investigation."))) void queries.invalidateQueries({ queryKey });
    },
    onReset: () => undefined,
  });
  const isStarting = alertId !== undefined && mayWrite;
  if (data?.items.length === 0 && !isStarting) return null;
  return (
    <Panel
      title={words.investigations}
      aside={
        data &&
        data.total > MAX_SHOWN &&
        alertId !== undefined && (
          <Link to="/agents/investigations" search={{ alert: alertId }}>
            {data.total}
          </Link>
        )
      }
    >
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.map((record) => (
        <InvestigationRow key={record.investigation_id} record={record} />
      ))}
      {isStarting && <StartButton alertId={alertId} />}
    </Panel>
  );
}

function StartButton({ alertId }: { alertId: string }) {
  const words = usePhrases(startPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const mode = useMode();
  const { reason, send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  const start = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const begun = await send(() =>
      createInvestigationsClient(server).start({ alert_context: { alert_id: alertId } }),
    ).finally(() => setIsBusy(false));
    if (begun) go(`/agents/investigations/${begun.investigation_id}`);
  };
  return (
    <Button size="s" isBusy={isBusy} disabled={reason !== undefined} title={reason} onClick={() => void start()}>
      {mode === "dry_run" ? words.previewStart : words.start}
    </Button>
  );
}
