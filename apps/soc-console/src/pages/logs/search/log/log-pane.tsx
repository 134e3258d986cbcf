import { useQuery } from "@tanstack/react-query";
import { ExternalLink, X } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { PartFailed } from "../part-failed.tsx";
import { type Log, readLog, searchKeys } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";
import { AddValueDialog } from "./add-value-dialog.tsx";
import { LogAround } from "./log-around.tsx";
import { LogTime } from "./log-row.tsx";
import { type ChosenValue, LogValues } from "./log-values.tsx";
import { ProcessTree } from "./process-tree.tsx";
import "./log-pane.css";

export interface LogPaneProps {
  log: Log;
  columns?: readonly string[] | undefined;
  onNarrow: (term: string, isExcluded: boolean) => void;
  onColumn?: ((field: string) => void) | undefined;
  onOpen: (id: string) => void;
  onPromote: (id: string) => void;
  /** The shortcut of promote, if there is one. */
  promoteKeys?: readonly string[] | undefined;
  onClose?: (() => void) | undefined;
}

/** Loads a log by its id if it is not among the rows. */
export function LogPaneById({
  id,
  known,
  ...rest
}: Omit<LogPaneProps, "log"> & { id: string; known: Log | undefined }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: searchKeys.one(id),
    queryFn: ({ signal }) => readLog(server, id, signal),
    enabled: known === undefined,
  });
  const log = known ?? data;
  if (log) return <LogPane key={log.id} log={log} {...rest} />;
  if (error instanceof ApiError) {
    return <PartFailed title={words.logFailed} error={error} onRetry={() => void refetch()} />;
  }
  return <Skeleton rows={8} />;
}

type View = "fields" | "raw" | "around" | "tree";

/** All fields of one log, and actions on it. */
function LogPane(props: LogPaneProps) {
  const { log, onClose, onPromote, promoteKeys } = props;
  const words = usePhrases(searchPhrases);
  const mayPromote = useMay("alerts:write");
  const [view, setView] = useState<View>("fields");
  const views: View[] = log.host === null ? ["fields", "raw", "around"] : ["fields", "raw", "around", "tree"];
  return (
    <article className="search-pane" aria-label={words.log}>
      <header className="search-pane-head">
        <Badge tone={log.severity}>
          <SeveritySign severity={log.severity} label="" />
          {words.severities[log.severity]}
        </Badge>
        <span className="soft">
          <SafeText isMono>{log.source}</SafeText> · <LogTime at={log.timestamp} isWithDay />
        </span>
        {onClose && (
          <span className="search-pane-close">
            <Link to={`/hunt/log/${log.id}`} className="button button-ghost button-square" title={words.openLog}>
              <ExternalLink size={16} aria-hidden="true" />
              <span className="screen-reader-only">{words.openLog}</span>
            </Link>
            <IconButton label={words.close} keys={["Esc"]} icon={<X />} onClick={onClose} />
          </span>
        )}
      </header>
      <p className="search-message">
        <SafeText isMono>{log.message ?? log.raw}</SafeText>
      </p>
      {log.timestamp_origin === "arrival" && <p className="search-partial">{words.timeOfArrival}</p>}
      {mayPromote && (
        <Button kind="primary" keys={promoteKeys} onClick={() => onPromote(log.id)}>
          {words.promote}
        </Button>
      )}
      <TabLinks
        label={words.views}
        items={views.map((name) => ({
          label: words.viewNames[name],
          isCurrent: name === view,
          onSelect: () => setView(name),
        }))}
      />
      <LogView view={view} {...props} />
    </article>
  );
}

function LogView({ view, log, columns, onNarrow, onColumn, onOpen }: LogPaneProps & { view: View }) {
  const [added, setAdded] = useState<ChosenValue>();
  const mayAddIoc = useMay("iocs:write");
  const mayAddObservable = useMay("cases:write");
  if (view === "raw") {
    return (
      <pre className="search-raw" dir="ltr">
        <SafeText isMono>{log.raw}</SafeText>
      </pre>
    );
  }
  if (view === "around") return <LogAround log={log} onOpen={onOpen} />;
  if (view === "tree" && log.host !== null) return <ProcessTree log={log} host={log.host} onOpen={onOpen} />;
  return (
    <>
      <LogValues
        log={log}
        columns={columns}
        onNarrow={onNarrow}
        onColumn={onColumn}
        onAdd={mayAddIoc || mayAddObservable ? setAdded : undefined}
      />
      {added && <AddValueDialog chosen={added} onClose={() => setAdded(undefined)} />}
    </>
  );
}
