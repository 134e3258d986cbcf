import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp, useLive, useMay } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { SelectField } from "../../../design/field.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { EmptyState } from "../../../design/states.tsx";
import { AssistantsTabs } from "../investigations/assistants-tabs-link.tsx";
import { createInvestigationsClient, investigationKeys, type Queue } from "../investigations/investigations-client.ts";
import { StartInvestigation } from "../investigations/start/start-link.tsx";
import { readNow } from "./agent-now.ts";
import { AgentPane } from "./agent-pane.tsx";
import { AgentCells } from "./agent-row.tsx";
import { type Agent, agentKeys, createAgentsClient, type Site } from "./agents-client.ts";
import { agentsPhrases } from "./agents-phrases.ts";
import "./agents.css";

const STATUSES = ["active", "disabled", "error"] as const;
const STALE_MS = 60_000;
const NO_SITES: readonly Site[] = [];
const readKey = (agent: Agent) => agent.id;

export const AgentsPage = withChanges("agents:manage", Agents);

function useSites(): readonly Site[] {
  const { server } = useApp();
  const mayRead = useMay("sites:read");
  const { data } = useQuery({
    queryKey: [...agentKeys.sites, "agents"],
    queryFn: ({ signal }) => createAgentsClient(server).sites(signal),
    staleTime: STALE_MS,
    enabled: mayRead,
    retry: false,
  });
  return data?.items ?? NO_SITES;
}

function useQueue() {
  const { server } = useApp();
  const queries = useQueryClient();
  useLive({
    onEvents: (events) => {
      if (events.some(({ type }) => type.startsWith("investigation.")))
        void queries.invalidateQueries({ queryKey: investigationKeys.queue });
    },
    onReset: () => undefined,
  });
  return useQuery({
    queryKey: investigationKeys.queue,
    queryFn: ({ signal }) => createInvestigationsClient(server).queue(signal),
  });
}

function useColumns(): ListColumn[] {
  const { columns } = usePhrases(agentsPhrases);
  return useMemo(
    () => [
      { key: "name", title: columns.name, width: "minmax(200px, 2fr)" },
      { key: "now", title: columns.now, width: "96px" },
      { key: "instances", title: columns.instances, width: "72px", align: "end" },
      { key: "sites", title: columns.sites, width: "minmax(0, 1fr)" },
      { key: "runs", title: columns.runs, width: "84px", align: "end" },
      { key: "last-active", title: columns.lastActive, width: "116px" },
    ],
    [columns],
  );
}

function Agents() {
  const words = usePhrases(agentsPhrases);
  const time = useTime();
  const { server } = useApp();
  const { search, change } = useAddress();
  const client = useMemo(() => createAgentsClient(server), [server]);
  const status = STATUSES.find((one) => one === search.status);
  const pages = useRecordPages("agents", { status }, client.list);
  const columns = useColumns();
  const queue = useQueue();
  const sites = useSites();
  const running = queue.data?.running ?? 0;
  const render = useCallback(
    (agent: Agent) => {
      const now = readNow(agent, running);
      const names = agent.sites.map((id) => sites.find((site) => site.id === id)?.name).filter(Boolean);
      return AgentCells(agent, {
        task: words.tasks[agent.type],
        now,
        nowLabel: words.now[now],
        sites: names.join(", "),
        lastActive: agent.last_active === null ? words.never : time.relative(agent.last_active),
      });
    },
    [words, time, sites, running],
  );
  return (
    <Page title={words.agents} isFull tabs={<AssistantsTabs current="agents" />} tools={<StartInvestigation />}>
      <div className="agents-bar">
        {queue.error && !queue.data ? (
          <FailedPart error={queue.error} onRetry={() => void queue.refetch()} />
        ) : (
          <QueueLine queue={queue.data} />
        )}
        <SelectField
          label={words.status}
          isLabelHidden
          value={status ?? ""}
          onChange={(chosen) => change({ status: chosen })}
          options={[
            { value: "", label: words.anyStatus },
            { value: "active", label: words.now.ready },
            { value: "disabled", label: words.now.disabled },
            { value: "error", label: words.now.failed },
          ]}
        />
      </div>
      <RecordList
        label={words.agents}
        noun="agents"
        events="agent."
        columns={columns}
        pages={pages}
        rowKey={readKey}
        renderRow={render}
        rowName={({ name }) => name}
        renderPane={(agent) => (
          <AgentPane
            key={agent.id}
            agent={agent}
            now={readNow(agent, running)}
            sites={sites}
            onChanged={pages.reload}
          />
        )}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
        onClearFilter={status === undefined ? undefined : () => change({ status: undefined })}
      />
    </Page>
  );
}

/** What the agents work on. Each number is a link. */
function QueueLine({ queue }: { queue: Queue | undefined }) {
  const words = usePhrases(agentsPhrases);
  const { count } = useNumbers();
  if (!queue) return <p className="agents-queue" />;
  return (
    <p className="agents-queue">
      <Link to="/agents/investigations" search={{ status: "running" }}>
        {count(queue.running, words.running)}
      </Link>
      <Link to="/agents/investigations" search={{ status: "queued" }}>
        {count(queue.queued, words.waiting)}
      </Link>
      <span className={queue.width === 0 ? "agents-failed" : "soft"}>
        {queue.width === 0 ? words.widthZero : fill(words.width, { width: queue.width })}
      </span>
      {queue.dropped_24h > 0 && (
        <Link to="/agents/investigations" search={{ status: "cancelled" }}>
          {count(queue.dropped_24h, words.dropped)}
        </Link>
      )}
    </p>
  );
}
