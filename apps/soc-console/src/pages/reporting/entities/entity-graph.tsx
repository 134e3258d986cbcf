import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { ErrorState, Skeleton } from "../../../design/states.tsx";
import { entitiesKeys, type EntityGraph as Graph, readGraph, toEntityKind } from "./entities-client.ts";
import { entitiesPhrases } from "./entities-phrases.ts";
import { type EntityKind, EntityLink } from "./entity-link.tsx";
import { layCircle } from "./graph-layout.ts";

const WIDTH = 720;
const HEIGHT = 360;
const MAX_LABEL = 24;

/** The entities that share alerts with this one, drawn on demand, with an equivalent table. */
export function EntityGraph({ kind, value }: { kind: EntityKind; value: string }) {
  const words = usePhrases(entitiesPhrases);
  const { server } = useApp();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: entitiesKeys.graph(kind, value),
    queryFn: ({ signal }) => readGraph(server, kind, value, signal),
    enabled: isOpen,
  });
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setIsOpen(true)}>{words.showGraph}</Button>
      </div>
    );
  }
  if (error instanceof ApiError) {
    return (
      <ErrorState
        title={words.graphFailed}
        text={<bdi>{error.message}</bdi>}
        requestId={error.requestId}
        retryLabel={words.retry}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return <Skeleton rows={4} />;
  if (data.nodes.length < 2) return <p className="entities-soft">{words.noRelated}</p>;
  return (
    <section className="entities-graph" aria-label={words.graph}>
      <Picture graph={data} />
      <GraphTable graph={data} />
      {data.is_partial && <p className="entities-soft">{words.graphPartial}</p>}
    </section>
  );
}

function Picture({ graph }: { graph: Graph }) {
  const words = usePhrases(entitiesPhrases);
  const places = layCircle(graph.nodes, graph.edges, { width: WIDTH, height: HEIGHT });
  return (
    <svg
      className="entities-picture"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={words.graph}
      direction="ltr"
    >
      {graph.edges.map(({ from, to, kind }) => {
        const [a, b] = [places.get(from), places.get(to)];
        return a && b ? <line key={`${from} ${to} ${kind}`} x1={a.x} y1={a.y} x2={b.x} y2={b.y} /> : null;
      })}
      {graph.nodes.map(({ id, value, type }) => {
        const place = places.get(id);
        return place ? (
          <g key={id} transform={`translate(${place.x} ${place.y})`}>
            <circle r={place.isCentre ? 8 : 5} className={`entities-node entities-node-${type}`} />
            <text y={-10} textAnchor="middle">
              {safeText(value.length > MAX_LABEL ? `${value.slice(0, MAX_LABEL)}…` : value)}
            </text>
          </g>
        ) : null;
      })}
    </svg>
  );
}

function GraphTable({ graph }: { graph: Graph }) {
  const words = usePhrases(entitiesPhrases);
  return (
    <ul className="entities-rows">
      {graph.nodes.map(({ id, type, value, alerts }) => (
        <li key={id}>
          <span className="entities-soft">{words.kinds[toEntityKind(type)]}</span>
          <span className="entities-cut" dir="ltr">
            <EntityLink kind={toEntityKind(type)} value={value}>
              <SafeText isMono>{value}</SafeText>
            </EntityLink>
          </span>
          <span>{alerts}</span>
        </li>
      ))}
    </ul>
  );
}
