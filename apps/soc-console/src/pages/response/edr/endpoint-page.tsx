import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { EDR, type Endpoint, readActions, readEndpoint, readEndpointActions, readStats } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";
import { ActionLines } from "./endpoint-actions.tsx";
import { EndpointFacts } from "./endpoint-facts.tsx";
import { HostParts } from "./endpoint-host.tsx";
import { AdapterLine, IsolationSides, OnlineSign, RiskBadge } from "./endpoint-parts.tsx";
import { readAdapter, readIsolation } from "./isolation.ts";
import { useEndpointVerbs } from "./use-endpoint-verbs.ts";
import { VerbButtons } from "./verb-buttons.tsx";
import "./edr.css";

export function EndpointPage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="edr:manage" key={id}>
      <OneEndpoint id={id} />
    </ChangesProvider>
  );
}

function OneEndpoint({ id }: { id: string }) {
  const words = usePhrases(edrPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: [EDR, "one", id],
    queryFn: ({ signal }) => readEndpoint(server, id, signal),
  });
  useReadAgain([EDR], ({ type, subject_id }) => type.startsWith("endpoint.") && subject_id === id);
  useCommands([
    { id: "endpoints.back", label: words.back, group: words.group, keys: ["u"], run: () => go("/endpoints") },
  ]);
  if (data) return <EndpointView endpoint={data} />;
  return (
    <Page title={words.title} back={<Back />}>
      {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </Page>
  );
}

function Back() {
  const words = usePhrases(edrPhrases);
  return (
    <Link to="/endpoints" className="edr-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
      {words.title}
    </Link>
  );
}

function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const words = usePhrases(edrPhrases);
  const { server } = useApp();
  const actions = useQuery({
    queryKey: [EDR, "one-actions", endpoint.id],
    queryFn: ({ signal }) => readEndpointActions(server, endpoint.id, signal),
  });
  const { data: stats } = useQuery({ queryKey: [EDR, "stats"], queryFn: ({ signal }) => readStats(server, signal) });
  const { data: recent } = useQuery({
    queryKey: [EDR, "actions"],
    queryFn: ({ signal }) => readActions(server, {}, signal),
  });
  const verbs = useEndpointVerbs(stats);
  const isolation = readIsolation(endpoint, actions.data?.items ?? []);
  const commands = verbs.build(endpoint, isolation.release);
  useCommands(commands);
  return (
    <Page
      title={`\u2066${safeText(endpoint.hostname)}\u2069`}
      back={<Back />}
      tabs={
        <span className="edr-head">
          <OnlineSign status={endpoint.status} />
          <RiskBadge risk={endpoint.risk} />
        </span>
      }
      tools={<VerbButtons commands={commands} hasAdapter={stats?.adapter.configured ?? false} />}
    >
      {stats && <AdapterLine adapter={readAdapter(stats.adapter, recent?.items ?? [])} />}
      <div className="edr-parts">
        <Panel title={words.isolationTitle}>
          <IsolationSides isolation={isolation} />
        </Panel>
        <Panel title={words.facts}>
          <EndpointFacts endpoint={endpoint} />
        </Panel>
        <Panel title={words.actions} aside={actions.data?.total}>
          {actions.error && <FailedPart error={actions.error} onRetry={() => void actions.refetch()} />}
          {actions.data?.items.length === 0 && <p className="soft">{words.noActions}</p>}
          {actions.data && <ActionLines actions={actions.data.items} />}
        </Panel>
        <HostParts hostname={endpoint.hostname} />
      </div>
      <ActionDialog asked={verbs.asked} onClose={verbs.close} />
    </Page>
  );
}
