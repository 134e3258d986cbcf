/**
 * Something that a user can do now. One table of commands feeds keys, palette, menus, tooltips and the `?` sheet. A
 * page registers its commands with `useCommands` while it is mounted.
 */
export interface Command {
  /** `alerts.take`: the noun of the page and a verb. */
  id: string;
  /** Title in the chosen language. */
  label: string;
  /** Heading of its group, in the chosen language. */
  group: string;
  /** Chords: `a`, `⇧A`, `mod+k`, `g a` (one key after the other), `?`, `1`, `Escape`, `Enter`, `Space`, `ArrowDown`. */
  keys?: readonly string[] | undefined;
  /** A disabled command stays visible with its reason and does not run. Default: enabled. */
  isEnabled?: boolean | undefined;
  reason?: string | undefined;
  run: () => void | Promise<void>;
  /** Not listed in the palette: `j`, `k`. The `?` sheet shows it. */
  isHidden?: boolean | undefined;
  /** Repeats while its key is held. Default: a held key runs it once. */
  isRepeatable?: boolean | undefined;
  /** Runs while a modal dialog is open; for commands of that dialog. */
  isInDialog?: boolean | undefined;
  /** The status line shows its keys. */
  isInStatusLine?: boolean | undefined;
}
