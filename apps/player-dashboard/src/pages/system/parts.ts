/** The parts that the page can explain. */
export type Part = "sound" | "reader" | "clock" | "screen" | "card" | "storage" | "battery" | "buttons" | "network";

const PART_OF: ReadonlyMap<string, Part> = new Map([
  ["audio", "sound"],
  ["nfc", "reader"],
  ["cards", "reader"],
  ["rtc", "clock"],
  ["clock", "clock"],
  ["display", "screen"],
  ["sd", "card"],
  ["storage", "storage"],
  ["library", "card"],
  ["battery", "battery"],
  ["button", "buttons"],
  ["buttons", "buttons"],
  ["wifi", "network"],
  ["network", "network"],
]);

/** A component is named after its feature or its driver (`nfc-pn532`): its first word identifies the part. */
export function findPart(component: string): Part | undefined {
  return PART_OF.get(component.toLowerCase().split(/[^a-z]/)[0] ?? "");
}
