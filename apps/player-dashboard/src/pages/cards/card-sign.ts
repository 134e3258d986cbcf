import type { CommandTarget, StartTarget, Target } from "@player/service/contract/target";

const SIGNS = {
  surah: "book",
  favorite: "heart",
  station: "radio",
  stream: "radio",
  file: "play",
  resume: "play",
} as const satisfies Readonly<Record<StartTarget["type"], string>>;

const COMMAND_SIGNS = {
  toggle: "pause",
  pause: "pause",
  stop: "stop",
  next: "next",
  prev: "previous",
  volume: "volume",
  mode: "repeat",
  sleep_timer: "moon",
} as const satisfies Readonly<Record<CommandTarget["command"], string>>;

type Sign = (typeof SIGNS)[keyof typeof SIGNS] | (typeof COMMAND_SIGNS)[keyof typeof COMMAND_SIGNS] | "card";

/** The icon of a target. In a sequence, the last step decides. */
export function chooseSign(target: Target): Sign {
  const last = target.type === "sequence" ? target.steps.at(-1) : target;
  if (!last) return "card";
  return last.type === "command" ? COMMAND_SIGNS[last.command] : SIGNS[last.type];
}

/** The surah to print on the card; 0 when the target has none, or refers to a list. */
export function surahOnFace(target: Target, favorites: readonly { id: number; surah: number }[] | undefined): number {
  const last = target.type === "sequence" ? target.steps.at(-1) : target;
  if (last?.type === "surah") return last.surah;
  return last?.type === "favorite" ? (favorites?.find(({ id }) => id === last.id)?.surah ?? 0) : 0;
}
