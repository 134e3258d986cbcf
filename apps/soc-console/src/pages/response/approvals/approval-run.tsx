import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import { ErrorState, Skeleton } from "../../../design/states.tsx";
import { APPROVALS, type Approval, readEdrActions, readRun } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";

const OPEN_STATUSES = new Set(["queued", "running", "waiting", "retrying", "dispatched"]);
/** Poll interval while it runs; events of the run arrive sooner. */
const PERIOD_MS = 15_000;

function toDot(status: string): { shape: DotShape; tone: Tone } {
  if (status === "completed" || status === "recorded") return { shape: "check", tone: "ok" };
  if (status === "skipped" || status === "cancelled") return { shape: "ring", tone: "plain" };
  if (status === "waiting" || status === "queued") return { shape: "ring", tone: "waiting" };
  if (OPEN_STATUSES.has(status)) return { shape: "half", tone: "running" };
  return { shape: "cross", tone: "failed" };
}

interface RunLine {
  id: string;
  name: string;
  status: string;
  error: string | null;
  at: string | null;
}

function RunLines({ lines }: { lines: readonly RunLine[] }) {
  const words = usePhrases(approvalsPhrases);
  const time = useTime();
  return (
    <ol className="approvals-steps">
      {lines.map(({ id, name, status, error, at }) => (
        <li key={id} className="approvals-step">
          <StatusDot {...toDot(status)} />
          <SafeText>{name}</SafeText>
          <span className="approvals-step-status">{words.runStatuses[status] ?? status}</span>
          <span className="approvals-step-time">{at !== null && time.time(at)}</span>
          {error !== null && (
            <p className="approvals-step-error">
              <SafeText>{error}</SafeText>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

interface RunReading {
  status: string;
  isSimulated: boolean;
  lines: readonly RunLine[];
}

type UsedApproval = Pick<Approval, "kind" | "parameters"> & { execution_id: string };

function useRun({ kind, parameters, execution_id }: UsedApproval) {
  const { server } = useApp();
  const isAction = kind === "action";
  const { endpoint_id } = parameters;
  const mayRead = useMay(isAction ? "edr:read" : "soar:read");
  const isReadable = mayRead && (!isAction || typeof endpoint_id === "string");
  return useQuery<RunReading | null>({
    queryKey: [APPROVALS, "run", execution_id],
    enabled: isReadable,
    refetchInterval: ({ state: { data } }) => (data && OPEN_STATUSES.has(data.status) ? PERIOD_MS : false),
    queryFn: async ({ signal }) => {
      if (!isAction) {
        const { status, simulated, steps } = await readRun(server, execution_id, signal);
        const lines = steps.map((step) => ({
          id: `${step.part}-${step.step_id}-${step.attempt}`,
          name: step.name,
          status: step.status,
          error: step.error,
          at: step.finished_at ?? step.started_at,
        }));
        return { status, isSimulated: simulated, lines };
      }
      const { items } = await readEdrActions(server, String(endpoint_id), signal);
      const found = items.find(({ action_id }) => action_id === execution_id);
      if (!found) return null;
      const { action_id: id, action, hostname, status, error, settled_at: at, simulated } = found;
      return { status, isSimulated: simulated, lines: [{ id, name: `${action} ${hostname}`, status, error, at }] };
    },
  });
}

/** The result of the approval, shown where it was decided. */
export function ApprovalRun({ approval }: { approval: UsedApproval }) {
  const words = usePhrases(approvalsPhrases);
  const { data, error, isLoading, refetch } = useRun(approval);
  const { kind, execution_id } = approval;
  const dot = data ? toDot(data.status) : undefined;
  return (
    <section className="approvals-run" aria-label={words.run}>
      <h3 className="approvals-heading">
        {words.run}
        {data && dot && (
          <span className="approvals-status">
            <StatusDot {...dot} />
            {words.runStatuses[data.status] ?? data.status}
          </span>
        )}
        {data?.isSimulated && <Badge tone="waiting">{words.simulated}</Badge>}
        {kind !== "action" && <Link to={`/runs/${execution_id}`}>{words.open}</Link>}
      </h3>
      {data && <RunLines lines={data.lines} />}
      {!data && !isLoading && !error && <p className="soft">{words.started}</p>}
      {isLoading && <Skeleton rows={2} />}
      {error instanceof ApiError && !data && (
        <ErrorState
          title={words.runFailed}
          text={error.message}
          requestId={error.requestId}
          retryLabel={words.retry}
          onRetry={() => void refetch()}
        />
      )}
    </section>
  );
}
