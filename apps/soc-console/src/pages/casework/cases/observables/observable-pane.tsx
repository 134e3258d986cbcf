import type { IocBody } from "@soc/service/contract/detection/iocs/iocs";
import type { EntityPageBody } from "@soc/service/contract/reporting/entities/entity-pages";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { Static } from "typebox";
import { Link } from "../../../../app/address/link.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import type { ListResponse, Wire } from "../../../../app/server/server.ts";
import { defang } from "../../../../app/text/defang.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { IconButton } from "../../../../design/button.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { CaseRow } from "../case-row.tsx";
import type { Observable } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { toEntityType } from "./observable-kind.ts";
import { observablesPhrases } from "./observables-phrases.ts";

type Ioc = Wire<Static<typeof IocBody>>;
type EntityPage = Wire<Static<typeof EntityPageBody>>;

interface Sighting {
  iocs: readonly Ioc[] | null;
  entity: EntityPage | undefined;
}

/** One request: the entity page includes the indicators. */
function useSighting({ type, value }: Observable) {
  const { server } = useApp();
  const mayAlerts = useMay("alerts:read");
  const mayIocs = useMay("iocs:read");
  const kind = mayAlerts ? toEntityType(type) : undefined;
  const query = useQuery({
    queryKey: ["entities", "one", kind ?? "ioc", value],
    queryFn: async ({ signal }): Promise<Sighting> => {
      if (kind) {
        const entity = await server.get<EntityPage>(`/entities/${kind}/${encodeURIComponent(value)}`, { signal });
        return { iocs: entity.iocs, entity };
      }
      const { items } = await server.get<ListResponse<Ioc>>("/iocs", { query: { value, limit: 5 }, signal });
      return { iocs: items, entity: undefined };
    },
    enabled: kind !== undefined || mayIocs,
    retry: false,
    staleTime: 60_000,
  });
  return { ...query, mayLook: kind !== undefined || mayIocs };
}

export function ObservablePane({ observable, onClose }: { observable: Observable; onClose: () => void }) {
  const common = usePhrases(casesPhrases);
  const words = usePhrases(observablesPhrases);
  const { data, error, refetch, mayLook } = useSighting(observable);
  return (
    <div className="cases-pane">
      <div className="cases-pane-head">
        <h2 className="cases-pane-title">
          <SafeText isMono>{defang(observable.value)}</SafeText>
        </h2>
        <IconButton label={common.close} icon={<X />} size="s" onClick={onClose} />
      </div>
      <Facts
        items={[
          { label: words.type, value: <SafeText>{observable.type}</SafeText> },
          { label: words.source, value: observable.source && <SafeText>{observable.source}</SafeText> },
          { label: words.tags, value: <SafeText>{observable.tags.join(", ")}</SafeText> },
        ]}
      />
      {!mayLook && <p className="soft">{words.mayNotLook}</p>}
      {mayLook && error && <FailedPart error={error} onRetry={() => void refetch()} />}
      {mayLook && !error && !data && <p className="soft">{words.looking}</p>}
      {data && <Seen sighting={data} />}
    </div>
  );
}

function Seen({ sighting: { iocs, entity } }: { sighting: Sighting }) {
  const words = usePhrases(observablesPhrases);
  const numbers = useNumbers();
  const total = entity ? entity.alerts.total + (entity.logs?.total ?? 0) : 0;
  return (
    <>
      <h3>{words.known}</h3>
      {iocs?.length ? (
        <ul className="cases-plain-list">
          {iocs.map((ioc) => (
            <li key={ioc.id}>
              <StatusDot shape="full" tone={ioc.severity} />{" "}
              <Link to={`/indicators/${ioc.id}`}>
                {fill(words.knownAs, { source: isolated(ioc.source), confidence: ioc.confidence, hits: ioc.hits })}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="soft">{words.unknown}</p>
      )}
      {entity && (
        <>
          <h3>{words.whereSeen}</h3>
          {total === 0 ? (
            <p className="soft">{words.never}</p>
          ) : (
            <Facts
              items={[
                { label: words.risk, value: `${entity.risk.score}` },
                { label: words.alerts, value: numbers.number(entity.alerts.total) },
                ...(entity.logs ? [{ label: words.logs, value: numbers.number(entity.logs.total) }] : []),
              ]}
            />
          )}
          {entity.cases && entity.cases.length > 0 && (
            <>
              <h3>{words.cases}</h3>
              {entity.cases.map((record) => (
                <CaseRow key={record.id} record={record} />
              ))}
            </>
          )}
        </>
      )}
    </>
  );
}
