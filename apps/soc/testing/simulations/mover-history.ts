import {
  type Piece,
  parseStreamEvents,
  type StreamEvent,
  splitIntoPieces,
} from "../../src/foundation/events/event-stream.ts";
import { createRandom, type Random } from "./random.ts";

/** A process that may move the outbox, while its database session holds the lock. */
interface Mover {
  session: number | undefined;
  work: Work;
  frozenUntilMs: number;
  cutUntilMs: number;
}

type Work =
  | { step: "waiting" }
  | { step: "reading"; handled: number; claimed: number }
  | { step: "publishing"; to: number; pieces: Piece[]; isSent: boolean; isStored: boolean };

export interface MoverResult {
  problems: string[];
  moved: number;
  takeovers: number;
  /** Messages that the stream has dropped as duplicates. */
  repeated: number;
}

const DISTURBED_MS = 60_000;
const MAX_DRAIN_MS = 3_600_000;
const BATCH_SIZE = 8;
/** Small, so that a batch has several messages. */
const PIECE = { events: 3, bytes: 100_000 };
/** The server ends the session of an unreachable host. */
const MAX_KEEPALIVE_MS = 25_000;
const MAX_LATE_MS = 20_000;

/** Movers that die, freeze and lose the network while changes are written. The same seed gives the same history. */
export function simulateMover(seed: number): MoverResult {
  const world = createWorld(createRandom(seed));
  while (world.nowMs() < DISTURBED_MS) world.step(true);
  while (!world.isDrained() && world.nowMs() < DISTURBED_MS + MAX_DRAIN_MS) world.step(false);
  return world.result();
}

function createWorld(random: Random) {
  const problems: string[] = [];
  const movers = Array.from({ length: random.between(2, 3) }, createMover);
  const cursor = { handled: 0, claimed: 0 };
  const sessions = new Set<number>();
  const stored = new Set<string>();
  const moved: number[] = [];
  const counts = { takeovers: 0, repeated: 0 };
  let late: { atMs: number; run: () => void }[] = [];
  let locked: number | undefined;
  let opened = 0;
  let written = 0;
  let nowMs = 0;

  function takeLock(mover: Mover): void {
    if (locked !== undefined) return;
    opened += 1;
    sessions.add(opened);
    locked = opened;
    counts.takeovers += 1;
    mover.session = opened;
    mover.work = { step: "reading", ...cursor };
  }

  function endSession(session: number | undefined): void {
    if (session === undefined) return;
    sessions.delete(session);
    if (locked === session) locked = undefined;
  }

  /** Returns false if the session is lost, because the right to write is then lost as well. */
  function write(mover: Mover, change: () => void): boolean {
    if (mover.session !== undefined && sessions.has(mover.session)) {
      change();
      return true;
    }
    mover.session = undefined;
    mover.work = { step: "waiting" };
    return false;
  }

  function read(mover: Mover, { handled, claimed }: Work & { step: "reading" }): void {
    const to = claimed === handled ? Math.min(written, handled + random.between(1, BATCH_SIZE)) : claimed;
    if (to === handled) return;
    const events = Array.from({ length: to - handled }, (_, place) => buildEvent(handled + place + 1));
    const isClaimed = write(mover, () => {
      cursor.claimed = to;
    });
    if (!isClaimed) return;
    mover.work = { step: "publishing", to, pieces: splitIntoPieces(events, PIECE), isSent: false, isStored: false };
  }

  /** The stream drops a duplicate message. */
  function store({ id, text }: Piece): void {
    if (stored.has(id)) {
      counts.repeated += 1;
      return;
    }
    stored.add(id);
    moved.push(...(parseStreamEvents(JSON.parse(text)) ?? []).map(({ place }) => Number(place)));
  }

  /** The message or its acknowledgement may be lost or late; it is then sent again. */
  function publish(mover: Mover, work: Work & { step: "publishing" }): void {
    const [piece, ...rest] = work.pieces;
    if (!piece) {
      acknowledge(mover, work.to);
      return;
    }
    if (work.isStored) {
      mover.work = { ...work, pieces: rest, isSent: false, isStored: false };
      return;
    }
    if (work.isSent && !random.isOneIn(3)) return;
    work.isSent = true;
    if (nowMs < mover.cutUntilMs) return;
    const arrives = () => {
      store(piece);
      if (!random.isOneIn(5)) work.isStored = true;
    };
    if (random.isOneIn(5)) late.push({ atMs: nowMs + random.between(0, MAX_LATE_MS), run: arrives });
    else arrives();
  }

  function acknowledge(mover: Mover, to: number): void {
    const isWritten = write(mover, () => {
      cursor.handled = to;
      cursor.claimed = to;
    });
    if (!isWritten) return;
    const known = new Set(moved);
    for (let place = 1; place <= to; place += 1)
      if (!known.has(place)) problems.push(`${place} acknowledged, not moved`);
    mover.work = { step: "reading", handled: to, claimed: to };
  }

  function stepMover(mover: Mover): void {
    if (nowMs < mover.frozenUntilMs) return;
    const { work } = mover;
    if (work.step === "publishing") publish(mover, work);
    else if (nowMs < mover.cutUntilMs) return;
    else if (work.step === "waiting") takeLock(mover);
    else read(mover, work);
  }

  function disturb(): void {
    const mover = movers[random.between(0, movers.length - 1)];
    if (!mover || !random.isOneIn(8)) return;
    const untilMs = nowMs + random.between(100, 20_000);
    const kind = random.between(0, 2);
    if (kind === 0) mover.frozenUntilMs = untilMs;
    else if (kind === 1) cut(mover, untilMs);
    else {
      endSession(mover.session);
      Object.assign(mover, createMover());
    }
  }

  function cut(mover: Mover, untilMs: number): void {
    mover.cutUntilMs = untilMs;
    const { session } = mover;
    const endsMs = nowMs + random.between(1000, MAX_KEEPALIVE_MS);
    if (endsMs < untilMs) late.push({ atMs: endsMs, run: () => endSession(session) });
  }

  return {
    nowMs: () => nowMs,

    step(isDisturbed: boolean): void {
      nowMs += random.between(50, 1000);
      if (isDisturbed) {
        disturb();
        written += random.between(0, 4);
      }
      const due = late.filter(({ atMs }) => atMs <= nowMs);
      late = late.filter(({ atMs }) => atMs > nowMs);
      for (const { run } of due) run();
      for (const mover of movers) stepMover(mover);
    },

    isDrained: () => late.length === 0 && cursor.handled === written,

    result(): MoverResult {
      const isWhole = moved.length === written && moved.every((place, at) => place === at + 1);
      if (!isWhole) problems.push(`${written} written, moved: ${moved.join(" ")}`);
      return { problems, moved: moved.length, ...counts };
    },
  };
}

function createMover(): Mover {
  return { session: undefined, work: { step: "waiting" }, frozenUntilMs: 0, cutUntilMs: 0 };
}

function buildEvent(place: number): StreamEvent {
  return { id: `event ${place}`, at: "", type: "t", subject_id: "", data: {}, place: String(place) };
}
