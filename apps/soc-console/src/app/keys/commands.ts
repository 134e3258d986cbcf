/**
 * Something that a user can do now. One table of them feeds keys, palette, menus, tooltips and the `?` sheet. A page
 * brings its own by `useCommands` while it is mounted.
 */
export interface Command {
  /** `alerts.take`: the noun of the page and a verb. */
  id: string;
  /** In the chosen language. */
  label: string;
  /** The heading that it stands below, in the chosen language. */
  group: string;
  /** Chords: `a`, `⇧A`, `mod+k`, `g a` (one after the other), `?`, `1`, `Escape`, `Enter`, `Space`, `ArrowDown`. */
  keys?: readonly string[] | undefined;
  /** A command that is not enabled stays visible with its reason, and does not run. Enabled when absent. */
  isEnabled?: boolean | undefined;
  reason?: string | undefined;
  run: () => void | Promise<void>;
  /** Works by its keys, but the palette does not list it: `j`, `k`. The `?` sheet shows it. */
  isHidden?: boolean | undefined;
  /** Runs again while its key is held. Without it a held key runs once. */
  isRepeatable?: boolean | undefined;
  /** Runs while a modal dialog is open, for commands of that dialog. */
  isInDialog?: boolean | undefined;
  /** The line below the page shows its keys. */
  isInStatusLine?: boolean | undefined;
}
