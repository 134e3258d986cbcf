import { Link } from "../../../app/address/link.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Panel } from "../../../design/panel.tsx";
import type { EdrAction, Endpoint } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";
import { ActionLines } from "./endpoint-actions.tsx";
import { EndpointFacts } from "./endpoint-facts.tsx";
import { IsolationSides, OnlineSign, RiskBadge } from "./endpoint-parts.tsx";
import { readIsolation } from "./isolation.ts";
import { VerbButtons } from "./verb-buttons.tsx";

export interface EndpointPaneProps {
  endpoint: Endpoint;
  actions: readonly EdrAction[];
  commands: readonly Command[];
  hasAdapter: boolean;
}

/** An endpoint in the pane, rendered from its row. */
export function EndpointPane({ endpoint, actions, commands, hasAdapter }: EndpointPaneProps) {
  const words = usePhrases(edrPhrases);
  return (
    <>
      <p className="edr-head">
        <OnlineSign status={endpoint.status} />
        <RiskBadge risk={endpoint.risk} />
      </p>
      <h2 className="edr-title">
        <Link to={`/endpoints/${endpoint.id}`}>
          <SafeText isMono>{endpoint.hostname}</SafeText>
        </Link>
      </h2>
      {commands.length > 0 && (
        <div className="edr-verbs">
          <VerbButtons commands={commands} hasAdapter={hasAdapter} />
        </div>
      )}
      <IsolationSides isolation={readIsolation(endpoint, actions)} />
      <EndpointFacts endpoint={endpoint} />
      {actions.length > 0 && (
        <Panel title={words.actions}>
          <ActionLines actions={actions} />
        </Panel>
      )}
    </>
  );
}
