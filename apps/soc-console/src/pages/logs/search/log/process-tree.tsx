import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp } from "../../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { findProcess } from "../hunt-query.ts";
import { PartFailed } from "../part-failed.tsx";
import { type Log, readProcessTree, searchKeys } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";
import { layTree } from "./process-order.ts";

export interface ProcessTreeProps {
  log: Log;
  host: string;
  onOpen: (id: string) => void;
}

/** The processes of the host around the log, parents above their children. */
export function ProcessTree({ log, host, onOpen }: ProcessTreeProps) {
  const words = usePhrases(searchPhrases);
  const { count } = useNumbers();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: searchKeys.tree(log.id),
    queryFn: ({ signal }) => readProcessTree(server, { host, at: log.timestamp, ...findProcess(log) }, signal),
  });
  const lines = useMemo(() => (data ? layTree(data.nodes) : []), [data]);
  if (error instanceof ApiError) {
    return <PartFailed title={words.treeFailed} error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton rows={4} />;
  if (lines.length === 0) return <p className="search-hint">{words.noProcesses}</p>;
  return (
    <>
      <ol className="search-tree" aria-label={words.processTree}>
        {lines.map(({ node, depth }) => (
          <li key={node.id} style={{ "--depth": depth }} aria-current={node.log_id === log.id || undefined}>
            <ProcessName node={node} onOpen={onOpen} />
            {node.alerts.length > 0 && <Badge tone="high">{count(node.alerts.length, words.alertCount)}</Badge>}
            {node.command_line !== null && (
              <span className="search-tree-command">
                <SafeText isMono>{node.command_line}</SafeText>
              </span>
            )}
          </li>
        ))}
      </ol>
      {data.is_partial && <p className="search-partial">{words.treePartial}</p>}
    </>
  );
}

type Node = ReturnType<typeof layTree>[number]["node"];

function ProcessName({ node, onOpen }: { node: Node; onOpen: (id: string) => void }) {
  const name = <SafeText isMono>{node.name ?? node.id}</SafeText>;
  const { log_id: logId } = node;
  if (logId === null) return name;
  return (
    <button type="button" className="search-field-name" onClick={() => onOpen(logId)}>
      {name}
    </button>
  );
}
