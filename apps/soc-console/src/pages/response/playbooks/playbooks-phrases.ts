import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { PlaybookInput, PlaybookStep } from "../../../app/playbooks/playbooks-client.ts";
import { arabic } from "./playbooks-arabic.ts";

export const PLAYBOOK_TABS = ["view", "edit", "versions", "automations"] as const;
export type PlaybookTab = (typeof PLAYBOOK_TABS)[number];

export interface PlaybooksPhrases {
  playbooks: string;
  playbook: string;
  views: string;
  back: string;
  tabsLabel: string;
  tabs: Record<PlaybookTab, string>;
  filters: { enabled: string; critical: string };
  any: string;
  yes: string;
  no: string;
  name: string;
  state: string;
  gate: string;
  stepCount: string;
  leaving: string;
  version: string;
  changedBy: string;
  changed: string;
  enabled: string;
  disabled: string;
  enable: string;
  disable: string;
  disabledReason: string;
  critical: string;
  fourEyes: string;
  votes: PluralForms;
  noGate: string;
  none: string;
  noneText: string;
  newPlaybook: string;
  id: string;
  idHint: string;
  write: string;
  close: string;
  run: string;
  previewRun: string;
  wouldLeave: string;
  staysInside: string;
  undo: string;
  step: string;
  when: string;
  input: string;
  tries: string;
  onError: Record<PlaybookStep["on_error"], string>;
  inputs: string;
  types: Record<PlaybookInput["type"], string>;
  required: string;
  facts: string;
  trigger: string;
  itsRuns: string;
  editorLabel: string;
  save: string;
  previewSave: string;
  saved: string;
  fixFirst: string;
  nothingChanged: string;
  problems: string;
  problemCount: PluralForms;
  checking: string;
  valid: string;
  steps: PluralForms;
  difference: string;
  actions: string;
  behind: string;
  takeTheirs: string;
  keepMine: string;
  moveVersion: string;
  versionNumber: string;
  againstNow: string;
  firstVersion: string;
  restore: string;
  previewRestore: string;
}

const english: PlaybooksPhrases = {
  playbooks: "Playbooks",
  playbook: "Playbook",
  views: "Views",
  back: "All playbooks",
  tabsLabel: "Parts of the playbook",
  tabs: { view: "View", edit: "Edit YAML", versions: "Versions", automations: "Starts when" },
  filters: { enabled: "Enabled", critical: "Critical" },
  any: "any",
  yes: "yes",
  no: "no",
  name: "Name",
  state: "State",
  gate: "Before it runs",
  stepCount: "Steps",
  leaving: "Leaves the platform",
  version: "Version",
  changedBy: "Changed by",
  changed: "Changed",
  enabled: "enabled",
  disabled: "disabled",
  enable: "Enable",
  disable: "Disable",
  disabledReason: "The playbook is disabled",
  critical: "needs an approval",
  fourEyes: "four eyes",
  votes: { one: "# vote", other: "# votes" },
  noGate: "runs at once",
  none: "There is no playbook",
  noneText: "Press n to write one.",
  newPlaybook: "New playbook",
  id: "Id",
  idHint: "Small letters, digits and hyphens. It stays; the name can change.",
  write: "Write it",
  close: "Close",
  run: "Run",
  previewRun: "Preview a run",
  wouldLeave: "What would leave the platform",
  staysInside: "Nothing leaves the platform.",
  undo: "undo",
  step: "Step",
  when: "Only when",
  input: "Input",
  tries: "tried {count}×, each at most {time}",
  onError: {
    stop: "if it fails, the run ends",
    continue: "if it fails, the run goes on",
    compensate: "if it fails, the run is undone",
  },
  inputs: "Inputs",
  types: { text: "text", number: "number", boolean: "yes or no", list: "list" },
  required: "required",
  facts: "About",
  trigger: "Meant for",
  itsRuns: "Its runs",
  editorLabel: "Playbook as YAML",
  save: "Save as version {version}",
  previewSave: "Preview version {version}",
  saved: "Saved as version {version}",
  fixFirst: "Fix the problems first",
  nothingChanged: "Nothing is changed",
  problems: "Problems",
  problemCount: { one: "# problem", other: "# problems" },
  checking: "Checking…",
  valid: "Valid",
  steps: { one: "# step", other: "# steps" },
  difference: "Against the stored version",
  actions: "What a step can do",
  behind: "{name} saved version {version} meanwhile.",
  takeTheirs: "Take theirs",
  keepMine: "Keep mine",
  moveVersion: "move over the versions",
  versionNumber: "Version {version}",
  againstNow: "Against the present version",
  firstVersion: "The first version.",
  restore: "Restore version {version}",
  previewRestore: "Preview restoring {version}",
};

export const playbooksPhrases: Translations<PlaybooksPhrases> = { en: english, ar: arabic };
