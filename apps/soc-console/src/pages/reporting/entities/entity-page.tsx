import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { Page } from "../../../app/page/page.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { defang } from "../../../app/text/defang.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Badge } from "../../../design/chip.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../../design/states.tsx";
import { entitiesKeys, readEntity } from "./entities-client.ts";
import { entitiesPhrases } from "./entities-phrases.ts";
import { EntityFacts, EntityRisk } from "./entity-facts.tsx";
import { EntityGraph } from "./entity-graph.tsx";
import { type EntityKind, readEntityKind } from "./entity-link.tsx";
import { EntityAlerts, EntityCases, EntityLogs, EntityRelated } from "./entity-parts.tsx";
import "./entities.css";

/** All known data about a host, a user, an address, a domain or a hash. */
export function EntityPage() {
  const words = usePhrases(entitiesPhrases);
  const { params } = useAddress();
  const kind = readEntityKind(params.kind);
  // The rest of the address: a value may contain slashes.
  const value = params._splat ?? "";
  if (!kind || value === "") {
    return (
      <Page title={words.unknownKind}>
        <EmptyState title={words.unknownKind} text={words.unknownKindText} />
      </Page>
    );
  }
  return <Entity key={`${kind} ${value}`} kind={kind} value={value} />;
}

/** The query that finds the logs of an entity. */
function toQuery(kind: EntityKind, value: string): string {
  const quoted = `"${value.replaceAll(/[\\"]/g, (sign) => `\\${sign}`)}"`;
  if (kind === "ip") return `src_ip:${quoted} OR dst_ip:${quoted}`;
  return kind === "host" || kind === "user" ? `${kind}:${quoted}` : quoted;
}

function Entity({ kind, value }: { kind: EntityKind; value: string }) {
  const words = usePhrases(entitiesPhrases);
  const { server } = useApp();
  const mayHunt = useMay("siem:search");
  const { data, error, refetch } = useQuery({
    queryKey: entitiesKeys.one(kind, value),
    queryFn: ({ signal }) => readEntity(server, kind, value, signal),
  });
  // Always left to right: digits and brackets have no direction.
  const shown = `\u2066${safeText(kind === "domain" || kind === "ip" ? defang(value) : value)}\u2069`;
  return (
    <Page
      title={shown}
      tabs={<Badge tone="plain">{words.kinds[kind]}</Badge>}
      tools={
        mayHunt && (
          <Link to="/hunt" search={{ q: toQuery(kind, value) }} className="button button-plain">
            <Search size={14} aria-hidden="true" />
            {words.hunt}
          </Link>
        )
      }
    >
      {error instanceof ApiError && (
        <ErrorState
          title={words.failed}
          text={<bdi>{errorWords(error)}</bdi>}
          requestId={error.requestId}
          retryLabel={words.retry}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton rows={8} />}
      {data && (
        <>
          {data.is_partial && (
            <Notice tone="waiting">
              {words.partial} <SafeText isMono>{data.partial.join(", ")}</SafeText>
            </Notice>
          )}
          <div className="entities-parts">
            <EntityFacts data={data} />
            <EntityRisk risk={data.risk} />
            <EntityAlerts alerts={data.alerts} />
            <EntityCases cases={data.cases} />
            <EntityLogs logs={data.logs} />
            <EntityRelated related={data.related} />
          </div>
          <EntityGraph kind={kind} value={value} />
        </>
      )}
    </Page>
  );
}
