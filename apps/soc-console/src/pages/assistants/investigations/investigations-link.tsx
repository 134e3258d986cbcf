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

function Found({
  query,
  alertId,
}: {
  query: Readonly<Record<string, string | undefined>>;
  alertId: string | undefined;
}) {
  const words = usePhrases(investigationsPhrases);
  const { server } = useApp();
  const queries = useQueryClient();
  const { mayWrite } = useChanges();
  const key = investigationKeys.list({ ...query, limit: MAX_SHOWN });
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => createInvestigationsClient(server).list({ ...query, limit: MAX_SHOWN }, signal),
  });
  useLive({
    onEvents: (events) => {
      if (events.some(({ type }) => type.startsWith("investigation.")))
        void queries.invalidateQueries({ queryKey: key });
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
