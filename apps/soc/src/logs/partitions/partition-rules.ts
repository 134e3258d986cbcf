/** The state of one partition, as its row in the database holds it. Times are those of the database's clock. */
export interface PartitionState {
  /** Grows with each owner. What an owner does under an earlier epoch is refused. */
  epoch: number;
  owner: string | undefined;
  leaseUntilMs: number;
  /** No log will be stored in this partition with an earlier ingest time. */
  watermarkMs: number;
  /** The place in the stream up to which all logs are stored and evaluated. */
  handled: string;
  /** How many groups were handled. */
  groups: number;
  claim: Claim | undefined;
}

/** A group that is being stored and evaluated. It stays until it is settled, whichever owner does that. */
export interface Claim {
  /** The place in the stream of its last message; it begins after `handled`. */
  to: string;
  /** The ingest time of its logs. */
  stampMs: number;
}

/** Who acts: an owner under its epoch. */
export interface Holder {
  worker: string;
  epoch: number;
}

/** Without a renewal for this long, others take the partitions of an owner. */
export const LEASE_MS = 5000;

/** Undefined when another owner's lease is still valid. */
export function acquire(state: PartitionState, worker: string, nowMs: number): PartitionState | undefined {
  if (state.owner !== undefined && nowMs < state.leaseUntilMs) return undefined;
  return { ...state, owner: worker, epoch: state.epoch + 1, leaseUntilMs: nowMs + LEASE_MS };
}

/**
 * Extends the lease. While no group is claimed, the watermark follows the clock: an idle partition holds no window back,
 * and one without an owner does. Undefined when the lease has ended.
 */
export function renew(state: PartitionState, holder: Holder, nowMs: number): PartitionState | undefined {
  if (!isHeld(state, holder, nowMs)) return undefined;
  const watermarkMs = state.claim ? state.watermarkMs : Math.max(state.watermarkMs, nowMs);
  return { ...state, watermarkMs, leaseUntilMs: nowMs + LEASE_MS };
}

export interface ClaimRequest {
  to: string;
  /** No stamp is below this: rules that have changed are evaluated on all logs from it on. */
  floorMs: number;
}

/**
 * Claims the group that ends at `to`, and chooses its ingest time. A claim that an earlier owner has left stays as it is:
 * its logs may be stored already. Undefined when the lease has ended, or another group is claimed.
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

/** All logs of the claimed group are stored, evaluated and raised. Undefined when the lease has ended. */
export function settle(state: PartitionState, holder: Holder, nowMs: number): PartitionState | undefined {
  const { claim } = state;
  if (!claim || !isHeld(state, holder, nowMs)) return undefined;
  const watermarkMs = Math.max(state.watermarkMs, claim.stampMs + 1);
  return { ...state, watermarkMs, handled: claim.to, groups: state.groups + 1, claim: undefined };
}

/** Ends the lease at once: the next owner needs not wait for it. */
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
 * The log store refuses an insert from this instant on. The next owner asks the store after the lease has ended: what is
 * not there by then does not come later, however long the former owner was frozen.
 */
export function toNotAfterMs(leaseUntilMs: number): number {
  return leaseUntilMs - CLOCKS_MS;
}
