import type { EdrAction, EdrStats, Endpoint } from "./edr-client.ts";

/** A state and the time since it holds, or of the last report; undefined if unknown. */
export interface AgedState<State> {
  state: State;
  at: string | undefined;
}

export interface Isolation {
  wanted: AgedState<Endpoint["isolation"]["desired"]>;
  reported: AgedState<Endpoint["isolation"]["reported"]>;
  isPending: boolean;
  /** When the isolation expires; null: never; undefined: not isolated. */
  release: string | null | undefined;
}

type Action = Pick<
  EdrAction,
  "action" | "status" | "simulated" | "requested_at" | "settled_at" | "ended_at" | "release_at"
>;

function changesState({ action, status, simulated }: Action): boolean {
  return action !== "scan" && status !== "blocked" && !simulated;
}

function toState({ action }: Action): Endpoint["isolation"]["desired"] {
  return action === "isolate" ? "isolated" : "normal";
}

/**
 * Desired and reported state of an endpoint. The desired state dates from its action. The reported state dates from the
 * last heartbeat, or from the adapter's report if that is newer.
 */
export function readIsolation(
  { isolation, last_seen }: Pick<Endpoint, "isolation" | "last_seen">,
  actions: readonly Action[],
): Isolation {
  const { desired, reported } = isolation;
  const relevant = actions.filter(changesState).toSorted((a, b) => b.requested_at.localeCompare(a.requested_at));
  const asked = relevant.find((action) => toState(action) === desired);
  const settled = relevant.flatMap((action) =>
    action.status === "completed" && action.settled_at !== null ? [action.settled_at] : [],
  );
  const inForce = relevant.find(({ action, ended_at }) => action === "isolate" && ended_at === null);
  return {
    wanted: { state: desired, at: asked?.requested_at },
    reported: { state: reported, at: [last_seen, ...settled].toSorted().at(-1) },
    isPending: isPending({ isolation }),
    release: inForce?.release_at,
  };
}

/**
 * Whether desired and reported state differ. Before the first report, a host without a desired state is not pending.
 */
export function isPending({ isolation: { desired, reported } }: Pick<Endpoint, "isolation">): boolean {
  return reported === "unknown" ? desired !== "normal" : desired !== reported;
}

export interface AdapterState {
  kind: EdrStats["adapter"]["state"];
  /** Number of actions that wait for a response. */
  waiting: number;
  /** Start of the longest wait. */
  since: string | undefined;
}

export function readAdapter(
  { state }: Pick<EdrStats["adapter"], "state">,
  actions: readonly Pick<EdrAction, "status" | "simulated" | "requested_at">[],
): AdapterState {
  const waiting = actions.filter(({ status, simulated }) => status === "dispatched" && !simulated);
  return { kind: state, waiting: waiting.length, since: waiting.map(({ requested_at }) => requested_at).toSorted()[0] };
}
