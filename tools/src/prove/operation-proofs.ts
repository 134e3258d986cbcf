import type { Proof } from "./proof.ts";

const UPGRADE = ["upgrade", "old-log-store", "key-rotation", "full-disk"].map((name) => `e2e/soc/${name}.e2e.ts`);

/** Proofs for SOC operators: backups, upgrades, keys, disks and faults. */
export const OPERATION_PROOFS: readonly Proof[] = [
  {
    name: "abuse",
    description: "hostile YAML and bodies of log senders: the service stays alive and answers health checks",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["apps/soc/src/foundation/yaml"] },
      { project: "integration", paths: ["apps/soc/src/logs/intake/intake-bombs.itest.ts"], isSequential: true },
      { project: "e2e*", paths: ["e2e/soc/abuse.e2e.ts"], isSequential: true },
    ],
  },
  {
    name: "backup",
    description:
      "300,000 logs backed up under 1,000 events a second, and restored elsewhere; into a bucket; to a point in time (10 minutes)",
    needsBuild: true,
    runs: [
      {
        project: "e2e*",
        paths: ["backup", "bucket-backup", "point-in-time"].map((name) => `e2e/soc/${name}.e2e.ts`),
        isSequential: true,
      },
    ],
  },
  {
    name: "old-days",
    description:
      "old days of logs in a bucket: every step of their mover fails, random questions, kills of the built product (half an hour)",
    needsBuild: true,
    runs: [
      { project: "integration", paths: ["apps/soc/src/adapters/old-days"], isSequential: true },
      { project: "e2e*", paths: ["e2e/soc/old-days.e2e.ts"] },
    ],
  },
  {
    name: "upgrade",
    description:
      "the former release beside this one, forward and back; keys replaced; a full disk of PostgreSQL (20 minutes; root)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: UPGRADE, isSequential: true }],
  },
  {
    name: "cluster-faults",
    description:
      "three hosts, three NATS, a database with its standby and two log stores under an hour of faults by a seed, and what is " +
      "left of it (root, iproute2, nats-server; PROVE_FAULT_MINUTES and PROVE_FAULT_SEED change it)",
    needsBuild: true,
    env: { PROVE_FAULT_MINUTES: "60", PROVE_FAULT_SEED: "1" },
    runs: [{ project: "e2e*", paths: ["e2e/soc/cluster-faults.e2e.ts"], isSequential: true }],
  },
];
