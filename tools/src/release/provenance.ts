export interface Subject {
  name: string;
  sha256: string;
}

export interface BuildInfo {
  version: string;
  commit: string;
  /** SHA-256 of package-lock.json. */
  lock: string;
  command: string;
  /** The version of Node that built it. */
  node: string;
}

/** An in-toto statement (v1) with a predicate of SLSA (v1): what was built, from what, and how. */
export function buildStatement(
  subjects: readonly Subject[],
  { version, commit, lock, command, node }: BuildInfo,
): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:manara:npm-release:1",
        externalParameters: { version, command },
        resolvedDependencies: [
          { name: "sources", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest: { sha256: lock } },
        ],
      },
      runDetails: { builder: { id: "urn:manara:release-script:1", version: { node } } },
    },
  };
}

/** As `sha256sum --check` reads it. */
export function formatChecksums(subjects: readonly Subject[]): string {
  return subjects.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}
