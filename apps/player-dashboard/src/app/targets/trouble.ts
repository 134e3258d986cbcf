export type Trouble =
  | "private"
  | "scheme"
  | "credentials"
  | "spaces"
  | "malformed"
  | "long"
  | "full"
  | "gone"
  | "file"
  | "range";

/** The device's messages about a rejected address or choice. */
const SAID: readonly (readonly [RegExp, Trouble])[] = [
  [/must lead to /, "private"],
  [/must start with https?:/, "scheme"],
  [/must not contain credentials/, "credentials"],
  [/must not contain spaces|must not contain control/, "spaces"],
  [/must be a valid URL|must have a valid host name/, "malformed"],
  [/must be at most \d+ characters/, "long"],
  [/no more can be kept/, "full"],
  [/does not exist/, "gone"],
  [/path: /, "file"],
  [/ab\.from: /, "range"],
];

export function findTrouble(message: string): Trouble | undefined {
  return SAID.find(([pattern]) => pattern.test(message))?.[1];
}
