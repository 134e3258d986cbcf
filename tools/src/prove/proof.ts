/** One vitest run. The paths are files or folders below the root of the repository. */
interface TestRun {
  project: "unit" | "integration" | "integration*" | "bench" | "e2e*";
  paths: readonly string[];
  /** For tests that measure, or that stop servers: one file at a time. */
  isSequential?: boolean;
}

/** One script of ours. */
interface ScriptRun {
  script: string;
}

export type Run = TestRun | ScriptRun;

export interface Proof {
  name: string;
  description: string;
  /** The built services and pages are under test. */
  needsBuild: boolean;
  /** Variables of the environment; a value that the caller sets wins. */
  env?: Readonly<Record<string, string>>;
  runs: readonly Run[];
}
