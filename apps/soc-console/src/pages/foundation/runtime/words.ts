import type { Mode, RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";

export interface Words {
  name: string;
  meaning: string;
}

export interface Allowance extends Words {
  isAllowed: boolean;
}

export const MODE_WORDS: Readonly<Record<Mode, Words>> = {
  dummy: {
    name: "Dummy",
    meaning: "For demonstration. Changes are refused, pipelines do not run, and nothing leaves this platform.",
  },
  dry_run: {
    name: "Dry run",
    meaning:
      "A rehearsal. Pipelines run and store their results, your changes are only previewed, and no external system is changed.",
  },
  real: {
    name: "Real",
    meaning: "Live operation. Changes are stored, and response actions reach real systems.",
  },
};

const SOURCE_WORDS: Readonly<Record<RuntimeTruthBody["read_data_source"], Words>> = {
  database: { name: "Database", meaning: "You see the records of this platform." },
  showcase: {
    name: "Showcase",
    meaning: "This is demonstration data. None of it happened.",
  },
  unavailable: {
    name: "None",
    meaning: "Pages that need the database fail until it is available again. No demonstration data is shown instead.",
  },
};

export function databaseWords({ is_database_available }: RuntimeTruthBody): Words {
  return is_database_available
    ? { name: "Available", meaning: "The database is reachable." }
    : { name: "Not available", meaning: "The database is unreachable, or none is configured." };
}

export function sourceWords({ read_data_source }: RuntimeTruthBody): Words {
  return SOURCE_WORDS[read_data_source];
}

function changesMeaning({ is_mutations_allowed, mode }: RuntimeTruthBody): string {
  if (is_mutations_allowed) return "Your changes are stored.";
  return mode === "dry_run" ? "You see a preview of your changes. Nothing is stored." : "Your changes are refused.";
}

function outsideMeaning({ is_external_actions_allowed, mode }: RuntimeTruthBody): string {
  if (is_external_actions_allowed) return "Response actions are sent to real systems.";
  return mode === "dry_run" ? "Response actions are recorded, never sent." : "No response action is sent.";
}

export function listAllowances(truth: RuntimeTruthBody): readonly Allowance[] {
  return [
    { name: "User changes", isAllowed: truth.is_mutations_allowed, meaning: changesMeaning(truth) },
    {
      name: "Internal pipelines",
      isAllowed: truth.is_internal_workflows_allowed,
      meaning: truth.is_internal_workflows_allowed
        ? "Intake, detections and agent runs are stored."
        : "Intake, detections and agent runs store nothing.",
    },
    {
      name: "Actions on external systems",
      isAllowed: truth.is_external_actions_allowed,
      meaning: outsideMeaning(truth),
    },
    {
      name: "Showcase data",
      isAllowed: truth.showcase_reads_allowed,
      meaning: truth.showcase_reads_allowed
        ? "Demonstration data is shown when the database is unavailable."
        : "No demonstration data is shown when the database is unavailable.",
    },
  ];
}
