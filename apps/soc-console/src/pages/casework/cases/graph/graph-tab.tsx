import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../../design/states.tsx";
import { readBatch } from "../batch.ts";
import { type CasePage, caseKeys } from "../cases-client.ts";
import { listEntities } from "../entities.ts";
import { type Graph, type GraphNode, MAX_SEEDS, mergeGraphs } from "./graph.ts";
import { graphPhrases } from "./graph-phrases.ts";
import type { NodePosition } from "./layout.ts";

const LABEL_LETTERS = 22;
const MARGIN = 60;

function useGraph(page: CasePage) {
  const { server } = useApp();
  const seeds = listEntities(page.alerts ?? [])
    .slice(0, MAX_SEEDS)
    .map(({ type, value }) => `${type}:${value}`);
  const query = useQuery({
    queryKey: ["entities", "graph", ...seeds],
    queryFn: async ({ signal }) => {
      const paths = seeds.map((seed) => `/entities/graph?${new URLSearchParams({ seed })}`);
      const [graphs, { layOut }] = await Promise.all([readBatch<Graph>(server, paths, signal), import("./layout.ts")]);
      const graph = mergeGraphs(graphs, seeds);
      return { graph, places: layOut(graph) };
    },
    enabled: seeds.length > 0,
    staleTime: 60_000,
  });
  return { ...query, seeds };
}

/** The alerts of the case were not read in time: whether there is something to draw is not known. */
function UnreadAlerts({ caseId }: { caseId: string }) {
  const words = usePhrases(graphPhrases);
  const queries = useQueryClient();
  return (
    <ErrorState
      title={words.unread}
      text={words.unreadText}
      retryLabel={words.retry}
      onRetry={() => void queries.invalidateQueries({ queryKey: caseKeys.one(caseId) })}
    />
  );
}

export function GraphTab({ page }: { page: CasePage }) {
  const words = usePhrases(graphPhrases);
  const numbers = useNumbers();
  const { go } = useAddress();
  const mayRead = useMay("alerts:read");
  const { data, error, refetch, seeds } = useGraph(page);
  const show = ({ value }: GraphNode) => go(`/cases/${page.case.id}/timeline`, { about: value });
  if (!mayRead) return <EmptyState title={words.empty} text={words.mayNot} />;
  if (page.alerts === null) return <UnreadAlerts caseId={page.case.id} />;
  if (seeds.length === 0) return <EmptyState title={words.empty} text={words.emptyText} />;
  if (error && !data) return <FailedPart error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} />;
  if (data.graph.nodes.length === 0) return <EmptyState title={words.empty} text={words.emptyText} />;
  const { graph, places } = data;
  return (
    <div className="case-graph">
      <div className="case-graph-picture">
        <Picture graph={graph} places={places} seeds={seeds} onChoose={show} />
        <p className="soft">
          {numbers.count(graph.nodes.length, words.nodes)} · {numbers.count(graph.edges.length, words.edges)}
          {graph.is_partial && ` · ${words.partial}`}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard. */}
      <section className="case-graph-table" aria-label={words.value} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.value}</th>
              <th scope="col">{words.type}</th>
              <th scope="col">{words.alerts}</th>
            </tr>
          </thead>
          <tbody>
            {graph.nodes.map((node) => (
              <tr key={node.id}>
                <td>
                  <button
                    type="button"
                    className="cases-text-button"
                    title={fill(words.filter, { value: isolated(safeText(node.value)) })}
                    onClick={() => show(node)}
                  >
                    <SafeText isMono>{node.value}</SafeText>
                  </button>
                </td>
                <td className="soft">{words.types[node.type]}</td>
                <td className="case-number">{numbers.number(node.alerts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

interface PictureProps {
  graph: Graph;
  places: ReadonlyMap<string, NodePosition>;
  seeds: readonly string[];
  onChoose: (node: GraphNode) => void;
}

function findBox(places: ReadonlyMap<string, NodePosition>): string {
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  return [left, top, Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN - top].map(Math.round).join(" ");
}

/** Keyboard and assistive technology use the table; the picture is for sighted mouse users. */
function Picture({ graph, places, seeds, onChoose }: PictureProps) {
  const words = usePhrases(graphPhrases);
  return (
    <svg viewBox={findBox(places)} role="img" aria-label={words.graph} direction="ltr">
      {graph.edges.map(({ from, to, kind, count }) => {
        const [a, b] = [places.get(from), places.get(to)];
        if (!a || !b) return null;
        const width = Math.min(4, 1 + Math.log2(count));
        return (
          <line
            key={`${from} ${to} ${kind}`}
            className="case-edge"
            x1={a.x}
            y1={a.y}
            x2={b.x}
            y2={b.y}
            strokeWidth={width}
          />
        );
      })}
      {graph.nodes.map((node) => {
        const place = places.get(node.id);
        if (!place) return null;
        const name = safeText(node.value);
        const isSeed = seeds.includes(node.id);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table does the same by keyboard.
          <g
            key={node.id}
            className={`case-node case-node-${node.type}${isSeed ? " case-node-seed" : ""}`}
            transform={`translate(${place.x} ${place.y})`}
            onClick={() => onChoose(node)}
          >
            <title>{`${words.types[node.type]}: ${name}`}</title>
            <circle r={isSeed ? 10 : 7} />
            <text y={22}>{name.length > LABEL_LETTERS ? `${name.slice(0, LABEL_LETTERS)}…` : name}</text>
          </g>
        );
      })}
    </svg>
  );
}
