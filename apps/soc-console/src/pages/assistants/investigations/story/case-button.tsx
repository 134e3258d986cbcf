import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { ChangesProvider, useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import type { ChangeResult } from "../../../../app/server/server.ts";
import { Button } from "../../../../design/button.tsx";
import type { InvestigationDetail } from "../investigations-client.ts";
import { storyPhrases } from "./story-phrases.ts";

export interface CaseButtonProps {
  record: InvestigationDetail;
  title: string;
  caseId: string | null;
}

/** Opens the case of the investigation, or creates one from its alert or question. */
export function CaseButton(props: CaseButtonProps) {
  return (
    <ChangesProvider needs="cases:write">
      <Opener {...props} />
    </ChangesProvider>
  );
}

const MAX_TITLE = 500;
const MAX_DESCRIPTION = 20_000;

function Opener({ record, title, caseId }: CaseButtonProps) {
  const words = usePhrases(storyPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const queries = useQueryClient();
  const mode = useMode();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const mayPromote = useMay("alerts:write");
  const mayRead = useMay("cases:read");
  const [isBusy, setIsBusy] = useState(false);
  const mayOpen = mayWrite && (record.alert_id === null || mayPromote);
  const description = (record.summary ?? "").slice(0, MAX_DESCRIPTION);
  const ask = () =>
    record.alert_id === null
      ? server.post<ChangeResult<{ id: string }>>("/cases", {
          title: title.slice(0, MAX_TITLE),
          severity: record.severity,
          description,
        })
      : server.post<ChangeResult<{ id: string }>>(`/alerts/${encodeURIComponent(record.alert_id)}/promote`, {
          description,
        });
  const run = async () => {
    if (caseId !== null) return go(`/cases/${caseId}`);
    if (isBusy) return;
    setIsBusy(true);
    const opened = await send(ask).finally(() => setIsBusy(false));
    if (!opened) return;
    notify({ tone: "ok", text: words.caseOpened });
    void queries.invalidateQueries({ queryKey: ["investigations"] });
    go(`/cases/${opened.id}`);
  };
  const isShown = caseId === null ? mayOpen : mayRead;
  const isRefused = caseId === null && reason !== undefined;
  const opening = mode === "dry_run" ? words.previewCase : words.openCase;
  const label = caseId === null ? opening : words.case;
  const command = {
    id: "investigation.case",
    label,
    group: words.title,
    keys: ["c"],
    isInStatusLine: true,
    isEnabled: !isRefused,
    reason: isRefused ? reason : undefined,
    run,
  };
  useCommands(isShown ? [command] : []);
  if (!isShown) return null;
  return (
    <Button
      {...commandKeys(command)}
      isBusy={isBusy}
      aria-disabled={isRefused}
      title={isRefused ? reason : undefined}
      onClick={() => !isRefused && void run()}
    >
      {label}
    </Button>
  );
}
