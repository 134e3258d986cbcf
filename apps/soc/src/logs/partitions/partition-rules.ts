/** The state of one partition, as stored in its database row. Times are those of the database clock. */
export interface PartitionState {
  /** Increases with each owner. Actions of an owner with an older epoch are refused. */
  epoch: number;
  owner: string | undefined;
  leaseUntilMs: number;
  /** No log will be stored in this partition with an earlier ingest time. */
  watermarkMs: number;
  /** The place in the stream up to which all logs are stored and evaluated. */
  handled: string;
  /** The number of handled groups. */
  groups: number;
  claim: Claim | undefined;
}

/** A group that is being stored and evaluated. It remains until it is settled, by whichever owner. */
export interface Claim {
  /** The place in the stream of its last message; it begins after `handled`. */
  to: string;
  /** The ingest time of its logs. */
  stampMs: number;
}

/** The acting owner with its epoch. */
export interface Holder {
  worker: string;
  epoch: number;
}

/** An owner that does not renew for this long loses its partitions. */
export const LEASE_MS = 5000;

/** Undefined if another owner's lease is still valid. */
export function acquire(state: PartitionState, worker: string, nowMs: number): PartitionState | undefined {
  if (state.owner !== undefined && nowMs < state.leaseUntilMs) return undefined;
  return { ...state, owner: worker, epoch: state.epoch + 1, leaseUntilMs: nowMs + LEASE_MS };
}

/**
 * Extends the lease. While no group is claimed, the watermark follows the clock: an idle partition holds back no
 * window, but one without an owner does. Undefined if the lease has ended.
 */
export function renew(state: PartitionState, holder: Holder, nowMs: number): PartitionState | undefined {
  if (!isHeld(state, holder, nowMs)) return undefined;
  const watermarkMs = state.claim ? state.watermarkMs : Math.max(state.watermarkMs, nowMs);
  return { ...state, watermarkMs, leaseUntilMs: nowMs + LEASE_MS };
}

export interface ClaimRequest {
  to: string;
  /** No stamp is below this, so that changed rules are evaluated on all logs from here on. */
  floorMs: number;
}

/**
 * Claims the group that ends at `to`, and chooses its ingest time. The claim of a previous owner is kept, because its
 * logs may already be stored. Undefined if the lease has ended, or if another group is claimed.
 */
export function claimGroup(
  state: PartitionState,
  holder: Holder,
  { to, floorMs }: ClaimRequest,
  nowMs: number,
): (PartitionState & { claim: Claim }) | undefined {
  if (!isHeld(state, holder, nowMs)) return undefined;
  if (state.claim) return state.claim.to === to ? { ...state, claim: state.claim } : undefined;
  const stampMs = Math.max(nowMs, state.watermarkMs, floorMs);
  return { ...state, watermarkMs: stampMs, claim: { to, stampMs } };
}

/** Records that all logs of the claimed group are stored, evaluated and raised. Undefined if the lease has ended. */
export function settle(state: PartitionState, holder: Holder, nowMs: number): PartitionState | undefined {
  const { claim } = state;
  if (!claim || !isHeld(state, holder, nowMs)) return undefined;
  const watermarkMs = Math.max(state.watermarkMs, claim.stampMs + 1);
  return { ...state, watermarkMs, handled: claim.to, groups: state.groups + 1, claim: undefined };
}

/** Ends the lease at once, so that the next owner need not wait for it. */
export function release(state: PartitionState, { worker, epoch }: Holder, nowMs: number): PartitionState {
  const isOwn = state.owner === worker && state.epoch === epoch;
  return isOwn ? { ...state, owner: undefined, leaseUntilMs: Math.min(state.leaseUntilMs, nowMs) } : state;
}

function isHeld({ owner, epoch, leaseUntilMs }: PartitionState, holder: Holder, nowMs: number): boolean {
  return owner === holder.worker && epoch === holder.epoch && nowMs < leaseUntilMs;
}

/** The clocks of the database and of the log store may differ by half of this. */
const CLOCKS_MS = 1000;

/**
 * The log store refuses an insert after this instant. The next owner queries the store after the lease has ended: logs
 * that are missing by then cannot appear later, however long the previous owner was frozen.
 */
export function toNotAfterMs(leaseUntilMs: number): number {
  return leaseUntilMs - CLOCKS_MS;
}
