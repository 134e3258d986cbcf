import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Events } from "../events.ts";
import type { PlaybackService } from "../playback/playback.service.ts";
import type { Settings } from "../settings/settings.schema.ts";
import type { TargetsService } from "../targets/targets.service.ts";
import { isPlayable, sourceKeyOf } from "./card.ts";
import type { CardReader, CardReaderEvent } from "./card-reader.ts";
import type { CardBody, ScanBody } from "./cards.schema.ts";
import type { CardsService } from "./cards.service.ts";

export interface TapsServiceDeps {
  reader: CardReader;
  cards: Pick<CardsService, "find">;
  targets: Pick<TargetsService, "run">;
  playback: Pick<PlaybackService, "status" | "pause" | "stop" | "isInterrupted" | "endInterruption">;
  /** What removing a card does, unless the card has its own setting. */
  card_removal: () => Settings["card_removal"];
  events: Pick<Events, "emit">;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  log: Pick<Log, "warn">;
}
export type TapsService = ReturnType<typeof createTapsService>;

const SAME_CARD_MS = 1500;
const LIFTED_MS = 800;
const NOTHING_YET: Readonly<ScanBody> = { uid: "", uid_len: 0, registered: false, age_ms: -1 };

/** The last card that started a source. */
interface StartedCard {
  uid: string;
  /** The source that it started; undefined until playback began. */
  source: string | undefined;
  isLifted: boolean;
}

/** Handles cards that are placed on the reader and removed from it. */
export function createTapsService(deps: TapsServiceDeps) {
  const { reader, cards, targets, playback, card_removal, events, clock, log } = deps;
  const lift = createTimer(clock);
  let last: { uid: string; atMs: number } | undefined;
  /** The card that seems to be removed. It may only have moved. */
  let lifted: string | undefined;
  let started: StartedCard | undefined;
  let failure: { component: "nfc"; error: string } | undefined;

  function onTap(uid: string): void {
    const hasOnlyMoved = lifted === uid;
    lifted = undefined;
    lift.cancel();
    if (hasOnlyMoved || (last?.uid === uid && clock.monotonicMs() - last.atMs < SAME_CARD_MS)) return;
    last = { uid, atMs: clock.monotonicMs() };
    events.emit("nfc", scan());
    if (playback.isInterrupted()) {
      playback.endInterruption();
      return;
    }
    const card = findCard(uid);
    if (card) void follow(card);
  }

  /** A storage that cannot be read must not stop the reader. */
  function findCard(uid: string): CardBody | undefined {
    try {
      return cards.find(uid);
    } catch (error) {
      log.warn({ err: error }, "card lookup failed");
      return undefined;
    }
  }

  function onLift(uid: string): void {
    lifted = uid;
    lift.set(LIFTED_MS, () => {
      lifted = undefined;
      if (started?.uid !== uid) return;
      started.isLifted = true;
      obeyRemoval(uid);
    });
  }

  async function follow(card: CardBody): Promise<void> {
    try {
      if (isCurrent(card.uid)) await repeat(card);
      else await run(card, true);
    } catch (error) {
      log.warn({ err: error }, "card action failed");
      const why = error instanceof Problem ? error.message : "it cannot be done";
      events.emit("error", { code: "nfc", message: `card '${card.name}': ${why}` });
    }
  }

  async function run({ uid, binding }: CardBody, continues: boolean): Promise<void> {
    if (!isPlayable(binding)) {
      await targets.run(binding);
      return;
    }
    const mine: StartedCard = { uid, source: undefined, isLifted: false };
    started = mine;
    await targets.run(binding, { continues });
    mine.source = sourceKeyOf(playback.status().source);
    if (mine.isLifted) obeyRemoval(uid);
  }

  async function repeat(card: CardBody): Promise<void> {
    switch (card.on_repeat) {
      case "toggle":
      case "next":
        await targets.run({ type: "command", command: card.on_repeat });
        break;
      case "restart":
        await run(card, false);
        break;
      case "ignore":
        break;
      default:
        card.on_repeat satisfies never;
    }
  }

  /** Whether the current source, playing or paused, was started by this card. */
  function isCurrent(uid: string): boolean {
    const { state, source } = playback.status();
    return started?.uid === uid && state !== "stopped" && started.source === sourceKeyOf(source);
  }

  function obeyRemoval(uid: string): void {
    const card = findCard(uid);
    if (!card || !isCurrent(uid)) return;
    const policy = card.on_remove === "inherit" ? card_removal() : card.on_remove;
    if (policy === "pause") playback.pause();
    if (policy === "stop") playback.stop();
  }

  function scan(): ScanBody {
    if (!last) return NOTHING_YET;
    const { uid, atMs } = last;
    const age_ms = Math.floor(clock.monotonicMs() - atMs);
    return { uid, uid_len: uid.length / 2, registered: findCard(uid) !== undefined, age_ms };
  }

  function failed(why: string): void {
    failure = { component: "nfc", error: why.replace(/^nfc: /, "") };
  }

  function onEvent(event: CardReaderEvent): void {
    switch (event.type) {
      case "tap":
        onTap(event.uid);
        break;
      case "lift":
        onLift(event.uid);
        break;
      case "lost":
        failed(event.why);
        break;
      case "back":
        failure = undefined;
        break;
      default:
        event satisfies never;
    }
  }

  const stopListening = reader.onEvent(onEvent);

  return {
    scan,

    /** Why this device cannot detect cards; undefined when it can. */
    failure: () => failure,

    /** After a reset, no card was ever tapped. */
    forget(): void {
      last = undefined;
      started = undefined;
    },

    /** Opens the reader. Without a reader all other features still work. */
    async start(): Promise<void> {
      try {
        await reader.start();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        log.warn({ err: error }, "no card reader");
        failed(error.message);
      }
    },

    async close(): Promise<void> {
      stopListening();
      lift.cancel();
      await reader.close();
    },
  };
}
