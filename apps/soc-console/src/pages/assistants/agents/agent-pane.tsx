import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import type { ChangeResult } from "../../../app/server/server.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button, IconButton } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { SelectField } from "../../../design/field.tsx";
import { Facts } from "../../../design/panel.tsx";
import { InvestigationRow } from "../investigations/investigation-row.tsx";
import { createInvestigationsClient, investigationKeys } from "../investigations/investigations-client.ts";
import { type AgentNow, listFittingSites } from "./agent-now.ts";
import { AgentNowSign } from "./agent-row.tsx";
import { type Agent, agentKeys, createAgentsClient, MAX_INSTANCES, type Site } from "./agents-client.ts";
import { agentsPhrases } from "./agents-phrases.ts";

const LAST_RESULTS = 5;
/** These two agents work only inside the platform. */
const INSIDE_ONLY: readonly string[] = ["agent-015", "agent-016"];
const toWords = (name: string) => name.replaceAll("_", " ");

export interface AgentPaneProps {
  agent: Agent;
  now: AgentNow;
  sites: readonly Site[];
  onChanged: () => void;
}

/** An agent in the pane: purpose, tools, sites, latest findings. */
export function AgentPane({ agent, now, sites, onChanged }: AgentPaneProps) {
  const words = usePhrases(agentsPhrases);
  const time = useTime();
  return (
    <div className="agents-pane">
      <h2 className="agents-pane-title" dir="ltr">
        {agent.name}
      </h2>
      <p>{words.tasks[agent.type]}</p>
      <div className="agents-state">
        <AgentNowSign now={now} label={words.now[now]} />
        <span className="soft">{words.nowTexts[now]}</span>
      </div>
      {agent.error !== null && (
        <div className="agents-error">
          <p className="agents-error-title">{words.lastError}</p>
          <SafeText>{agent.error}</SafeText>
        </div>
      )}
      <AgentControls agent={agent} sites={sites} onChanged={onChanged} />
      <Facts
        items={[
          {
            label: words.columns.lastActive,
            value:
              agent.last_active === null ? (
                words.never
              ) : (
                <span className="mono">{time.dateTime(agent.last_active)}</span>
              ),
          },
          { label: words.columns.runs, value: agent.runs_24h },
          { label: words.columns.instances, value: agent.instances },
          { label: words.capabilities, value: <bdi dir="ltr">{agent.capabilities.map(toWords).join(", ")}</bdi> },
          { label: words.classes, value: <bdi dir="ltr">{agent.asset_classes.join(", ")}</bdi> },
        ]}
      />
      <AgentTools agent={agent} />
      <AgentResults agent={agent} />
    </div>
  );
}

/** Changes an agent, one request at a time. */
function useAgentChange(agent: Agent, onChanged: () => void) {
  const words = usePhrases(agentsPhrases);
  const { send } = useChanges();
  const { notify } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const change = async (ask: () => Promise<ChangeResult<Agent>>, said = words.changed) => {
    if (isBusy) return;
    setIsBusy(true);
    const changed = await send(ask, { before: agent }).finally(() => setIsBusy(false));
    if (!changed) return;
    notify({ tone: "ok", text: fill(said, { name: isolated(agent.name) }) });
    onChanged();
  };
  return { change, isBusy };
}

function AgentControls({ agent, sites, onChanged }: Pick<AgentPaneProps, "agent" | "sites" | "onChanged">) {
  const words = usePhrases(agentsPhrases);
  const { server } = useApp();
  const client = useMemo(() => createAgentsClient(server), [server]);
  const { mayWrite, reason } = useChanges();
  const { change, isBusy } = useAgentChange(agent, onChanged);
  const isRefused = reason !== undefined;
  const disable = () => change(() => client.disable(agent.id), words.disabled);
  return (
    <>
      {mayWrite && (
        <div className="agents-controls">
          {agent.status === "active" ? (
            <Toggle label={words.disable} preview={words.previewDisable} isBusy={isBusy} onToggle={disable} />
          ) : (
            <Toggle
              label={words.enable}
              preview={words.previewEnable}
              isBusy={isBusy}
              // Enabling an agent also clears its failure.
              onToggle={() => change(() => client.enable(agent.id), words.enabled)}
            />
          )}
          {agent.status === "error" && (
            <Button isBusy={isBusy} disabled={isRefused} onClick={() => void disable()}>
              {words.disable}
            </Button>
          )}
          <SelectField
            label={words.scale}
            hint={words.scaleHint}
            disabled={isRefused || isBusy || agent.status === "disabled"}
            value={String(agent.instances)}
            onChange={(chosen) => void change(() => client.scale(agent.id, Number(chosen)))}
            options={Array.from({ length: MAX_INSTANCES + 1 }, (_, count) => ({
              value: String(count),
              label: String(count),
            }))}
          />
        </div>
      )}
      <AgentSites
        agent={agent}
        sites={sites}
        isBusy={isBusy}
        onDeploy={(id) => void change(() => client.deploy(agent.id, id))}
        onUndeploy={(id) => void change(() => client.undeploy(agent.id, id))}
      />
    </>
  );
}

interface ToggleProps {
  label: string;
  preview: string;
  isBusy: boolean;
  onToggle: () => Promise<void>;
}

function Toggle({ label, preview, isBusy, onToggle }: ToggleProps) {
  const words = usePhrases(agentsPhrases);
  const mode = useMode();
  const { reason } = useChanges();
  const command = {
    ...{ id: "agents.toggle", label, group: words.agents, keys: ["⇧E"], run: onToggle },
    ...{ isEnabled: reason === undefined, reason },
  };
  useCommands([command]);
  return (
    <CommandButton command={command} isBusy={isBusy}>
      {mode === "dry_run" ? preview : label}
    </CommandButton>
  );
}

interface AgentSitesProps extends Pick<AgentPaneProps, "agent" | "sites"> {
  isBusy: boolean;
  onDeploy: (siteId: string) => void;
  onUndeploy: (siteId: string) => void;
}

function AgentSites({ agent, sites, isBusy, onDeploy, onUndeploy }: AgentSitesProps) {
  const words = usePhrases(agentsPhrases);
  const { mayWrite, reason } = useChanges();
  const canChange = mayWrite && reason === undefined;
  const fitting = listFittingSites(agent, sites);
  const readName = (id: string) => safeText(sites.find((site) => site.id === id)?.name ?? words.unknownSite);
  return (
    <section className="agents-part">
      <h3>{words.columns.sites}</h3>
      {agent.sites.length === 0 && <p className="soft">{words.everywhere}</p>}
      <ul className="agents-sites">
        {agent.sites.map((id) => (
          <li key={id}>
            <SafeText>{readName(id)}</SafeText>
            {canChange && (
              <IconButton
                size="s"
                icon={<X />}
                label={fill(words.undeploy, { site: readName(id) })}
                disabled={isBusy}
                onClick={() => onUndeploy(id)}
              />
            )}
          </li>
        ))}
      </ul>
      {canChange && fitting.length > 0 && (
        <SelectField
          label={words.deploy}
          hint={words.deployHint}
          disabled={isBusy}
          value=""
          onChange={(id) => id !== "" && onDeploy(id)}
          options={[
            { value: "", label: words.chooseSite },
            ...fitting.map(({ id, name }) => ({ value: id, label: safeText(name) })),
          ]}
        />
      )}
    </section>
  );
}

function AgentTools({ agent }: { agent: Agent }) {
  const words = usePhrases(agentsPhrases);
  const { server } = useApp();
  const isInside = INSIDE_ONLY.includes(agent.id);
  const { data, error, refetch } = useQuery({
    queryKey: agentKeys.tools(agent.id),
    queryFn: ({ signal }) => createAgentsClient(server).tools(agent.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isInside,
  });
  return (
    <section className="agents-part">
      <h3>{words.mayUse}</h3>
      {isInside && <p className="soft">{words.insideOnly}</p>}
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="soft">{words.noTools}</p>}
      <ul className="agents-tools">
        {data?.items.map(({ name, description, permission, changes }) => (
          <li key={name}>
            <span className="agents-tool-head">
              <bdi className="mono" dir="ltr">
                {name}
              </bdi>
              <Badge tone={changes ? "waiting" : "plain"}>{changes ? words.mayChange : words.onlyReads}</Badge>
              <bdi className="soft mono" dir="ltr">
                {permission}
              </bdi>
            </span>
            <bdi className="soft">{description}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function AgentResults({ agent }: { agent: Agent }) {
  const words = usePhrases(agentsPhrases);
  const { server } = useApp();
  const query = { agent_id: agent.id, limit: LAST_RESULTS };
  const { data, error, refetch } = useQuery({
    queryKey: investigationKeys.list(query),
    queryFn: ({ signal }) => createInvestigationsClient(server).list(query, signal),
  });
  return (
    <section className="agents-part">
      <h3>{words.lastResults}</h3>
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="soft">{words.noResults}</p>}
      {data?.items.map((record) => (
        <InvestigationRow key={record.investigation_id} record={record} />
      ))}
      {data && data.items.length > 0 && (
        <Link to="/agents/investigations" search={{ agent: agent.id }}>
          {words.allResults}
        </Link>
      )}
    </section>
  );
}
