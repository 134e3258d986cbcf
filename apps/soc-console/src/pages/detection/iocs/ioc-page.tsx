import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { defang } from "../../../app/text/defang.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { EndDialog } from "./end-dialog.tsx";
import { IocFacts } from "./ioc-facts.tsx";
import { IocAlerts, IocHits } from "./ioc-hits.tsx";
import { type IocDetail, iocKeys, readIoc, removeIoc } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { useCopy } from "./use-copy.ts";
import "./iocs.css";

/** One indicator: its facts, and where it was seen. */
export const IocPage = withChanges("iocs:write", Indicator);

function Back() {
  const words = usePhrases(iocsPhrases);
  return (
    <Link to="/indicators" className="iocs-back" title={words.title}>
      <ChevronLeft aria-hidden="true" />
      {words.title}
    </Link>
  );
}

function Indicator() {
  const words = usePhrases(iocsPhrases);
  const { server } = useApp();
  const { params } = useAddress();
  const id = params.id ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: iocKeys.one(id),
    queryFn: ({ signal }) => readIoc(server, id, signal),
  });
  useReadAgain(
    ["iocs"],
    ({ type, subject_id }) => type.startsWith("ioc") && (subject_id === id || type !== "ioc.updated"),
  );
  if (!data) {
    return (
      <Page title={words.indicator} back={<Back />}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />}
      </Page>
    );
  }
  return <Loaded ioc={data} />;
}

function useActions(ioc: IocDetail, { onEnd, onRemove }: { onEnd: () => void; onRemove: () => void }) {
  const words = usePhrases(iocsPhrases);
  const { go } = useAddress();
  const { mayWrite, reason } = useChanges();
  const mayHunt = useMay("siem:read");
  const group = words.title;
  const copies = useCopy().commands(ioc.value);
  const change = { group, isEnabled: reason === undefined, reason };
  const hunt: Command = {
    id: "iocs.hunt",
    label: words.hunt,
    group,
    keys: ["h"],
    run: () => go("/hunt", { q: `"${ioc.value}"`, from: "-30d" }),
  };
  const edit: Command = { ...change, id: "iocs.end", label: words.changeEnd, keys: ["e"], run: onEnd };
  const remove: Command = { ...change, id: "iocs.remove", label: words.remove, keys: ["⇧D"], run: onRemove };
  const shown = [...copies, ...(mayHunt ? [hunt] : []), ...(mayWrite ? [edit, remove] : [])];
  useCommands([
    ...shown,
    { id: "iocs.back", label: words.title, group, keys: ["u"], isHidden: true, run: () => go("/indicators") },
  ]);
  return shown;
}

function Loaded({ ioc }: { ioc: IocDetail }) {
  const words = usePhrases(iocsPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const { send } = useChanges();
  const queries = useQueryClient();
  const mayAlerts = useMay("alerts:read");
  const [dialog, setDialog] = useState<"end" | "remove">();
  const actions = useActions(ioc, { onEnd: () => setDialog("end"), onRemove: () => setDialog("remove") });
  const remove = async () => {
    const removed = await send(() => removeIoc(server, ioc.id), { before: ioc });
    setDialog(undefined);
    if (removed) go("/indicators");
  };
  return (
    <Page
      title={safeText(defang(ioc.value))}
      back={<Back />}
      tools={actions.map((action) => <CommandButton key={action.id} command={action} />)}
    >
      <div className="iocs-columns">
        <Panel title={words.indicator} aside={words.types[ioc.type]}>
          <IocFacts ioc={ioc} />
        </Panel>
        <div className="iocs-seen">
          <IocHits ioc={ioc} />
          {mayAlerts && <IocAlerts ioc={ioc} />}
        </div>
      </div>
      {dialog === "end" && (
        <EndDialog
          ioc={ioc}
          onClose={() => setDialog(undefined)}
          onChanged={(changed) => queries.setQueryData(iocKeys.one(ioc.id), changed)}
        />
      )}
      {dialog === "remove" && <RemoveDialog ioc={ioc} onRemove={remove} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}
