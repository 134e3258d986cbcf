import { OPERATION_PROOFS } from "./operation-proofs.ts";
import type { Proof } from "./proof.ts";

export const PROOFS: readonly Proof[] = [
  {
    name: "player-playback",
    description: "kills, broken streams, 64 sockets (20 minutes; needs mpv, ffmpeg, icecast2)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/player"] }],
  },
  {
    name: "player-day",
    description: "a day of the device with real daemons: cards, prayers, schedules, firmware",
    needsBuild: true,
    runs: [
      { project: "integration", paths: ["apps/player"] },
      {
        project: "e2e*",
        paths: ["day", "day-device", "day-routes", "day-secrets"].map((name) => `e2e/player/${name}.e2e.ts`),
      },
    ],
  },
  {
    name: "player-adhan",
    description:
      "10,000 disturbed days on simulated sound and 100 adhans on mpv, each played to its end (half an hour)",
    needsBuild: false,
    runs: [
      { project: "unit", paths: ["apps/player/src/prayer/adhan-days.test.ts"] },
      { project: "integration", paths: ["apps/player/src/prayer/adhan-mpv.itest.ts"] },
    ],
  },
  {
    name: "player-dashboard",
    description: "the dashboard in a browser, against the built service",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/player/dashboard"] }],
  },
  {
    name: "player-package",
    description:
      "the package on a booted Debian, for both processors (15 minutes; root, mmdebstrap, systemd-container)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/player/package"], isSequential: true }],
  },
  {
    name: "player-uploads",
    description:
      "1,000 hostile uploads, a cut at every megabyte, full and pulled cards, 500 MB beside playback (needs mpv)",
    needsBuild: true,
    runs: [
      {
        project: "integration",
        isSequential: true,
        paths: ["apps/player/src/uploads", "apps/player/src/library/card-files.itest.ts"],
      },
      { project: "e2e*", paths: ["e2e/player/uploads.e2e.ts", "e2e/player/dashboard/uploads-journey.e2e.ts"] },
    ],
  },
  {
    name: "player-storage",
    description: "200 mixtures of full, read-only, torn, newer and foreign storages (15 minutes; needs root)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/player/storage.e2e.ts"] }],
  },
  {
    name: "player-power-cuts",
    description: "200 power cuts on a disk that forgets what was not synced (20 minutes; needs root, python3-fusepy)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/player/power-cuts.e2e.ts"] }],
  },
  {
    name: "documents",
    description:
      "the site of the pages, the examples of the guides, and every command of README and tutorials in a fresh clone that is installed first (root, ffmpeg)",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["tools/src/documents", "e2e/documents"] },
      { project: "integration", paths: ["documents.itest.ts"] },
      { project: "e2e*", paths: ["e2e/documents"], isSequential: true },
    ],
  },
  {
    name: "soc-core",
    description: "built SOC processes on PostgreSQL: kills, limits, lost connections",
    needsBuild: true,
    // The console, the package, the cluster and the backup have proofs of their own.
    env: {
      PROVE_WITHOUT:
        "e2e/soc/{console/**,package/**,image/**,{backup,bucket-backup,cluster-faults,full-disk,key-rotation,old-days,old-log-store,point-in-time,upgrade}.e2e.ts}",
    },
    runs: [{ project: "e2e*", paths: ["e2e/soc"], isSequential: true }],
  },
  {
    name: "soc-package",
    description:
      "the SOC's package on a booted Debian, installed to purged by the guide (10 minutes; root, mmdebstrap, systemd-container)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/soc/package"], isSequential: true }],
  },
  {
    name: "soc-image",
    description:
      "the SOC's image: two builds, a run without any right, one box and three hosts by their compose files, the pods of the chart " +
      "(half an hour; root, mmdebstrap, podman, runc, podman-compose, netavark, aardvark-dns, iptables, iproute2, catatonit, openssl)",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/soc/image"], isSequential: true }],
  },
  {
    name: "console",
    description:
      "the analyst console in a browser: every page in every look, faults, cut streams, 80 hostile texts in every field, " +
      "scrolling, keys, ten minutes of 50 events a second (an hour)",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["apps/soc-console"] },
      { project: "e2e*", paths: ["e2e/soc/console"], isSequential: true },
    ],
  },
  {
    name: "soc-matrices",
    description: "every caller on every route, and every route in every mode, as the tables of the documentation say",
    needsBuild: false,
    runs: [
      {
        project: "integration",
        paths: [
          "apps/soc/src/identity/auth/callers-matrix.itest.ts",
          "apps/soc/src/foundation/runtime/modes-matrix.itest.ts",
        ],
      },
    ],
  },
  {
    name: "sign-in",
    description:
      "forged answers of providers, wrong factors, step-up on every route, leaving the company, and keys in a real browser",
    needsBuild: true,
    runs: [
      { project: "integration", paths: ["apps/soc/src/identity"] },
      { project: "e2e*", paths: ["e2e/soc/passkeys.e2e.ts"] },
    ],
  },
  {
    name: "sites",
    description:
      "callers of one site on every route: nothing of another site, without either of the two walls, and a leak without both",
    needsBuild: false,
    runs: [
      {
        project: "integration*",
        paths: [
          "apps/soc/src/adapters/postgres-sites.itest.ts",
          "apps/soc/src/identity/auth/sites-matrix.itest.ts",
          "apps/soc/src/identity/auth/sites-without-scope.itest.ts",
          "apps/soc/src/identity/users/user-sites.itest.ts",
          "apps/soc/src/alerts/alerts/casework-sites.itest.ts",
          "apps/soc/src/alerts/alerts/casework-without-scope.itest.ts",
          "apps/soc/src/logs/search/logs-by-site.itest.ts",
          "apps/soc/src/logs/intake/intake-by-site.itest.ts",
          "apps/soc/src/response/edr/edr-sites.itest.ts",
          "apps/soc/src/devices/registry/devices-sites.itest.ts",
          "apps/soc/src/assistants/tools/tools-sites.itest.ts",
          "apps/soc/src/assistants/chat/chat-sites.itest.ts",
          "apps/soc/src/assistants/runs/investigation-sites.itest.ts",
          "apps/soc/src/response/executions/execution-sites.itest.ts",
          "apps/soc/src/response/executions/sites-work.itest.ts",
        ],
      },
    ],
  },
  {
    name: "listeners",
    description:
      "10,000 event streams of four audiences at 20 events a second: all events, in order, within a second (10 minutes)",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["apps/soc/src/foundation/events"] },
      {
        project: "integration",
        paths: ["apps/soc/src/foundation/events", "apps/soc/src/identity/auth/event-streams.itest.ts"],
      },
      { project: "e2e*", paths: ["e2e/soc/listeners.e2e.ts"], isSequential: true },
    ],
  },
  {
    name: "shift",
    description:
      "an analyst's hour by the requests of a console: 200 alerts, 10 hunts, 5 cases, within the limit of each minute",
    needsBuild: false,
    runs: [{ project: "integration", paths: ["apps/soc/src/reporting/pages/shift.itest.ts"] }],
  },
  {
    name: "life",
    description:
      "200 alerts, cases, critical playbooks, rules and devices from their creation to their end, with all agents at work, " +
      "which open cases or do not (an hour)",
    needsBuild: false,
    runs: [{ project: "integration", paths: ["apps/soc/testing/contract/life.itest.ts"] }],
  },
  {
    name: "soc-deaths",
    description:
      "kills of the service, its worker and its log engine under load: rules go on, no log is lost or doubled",
    needsBuild: true,
    runs: [{ project: "e2e*", paths: ["e2e/soc/log-deaths.e2e.ts"], isSequential: true }],
  },
  {
    name: "samples",
    description:
      "every request without the token, every bit of a quote; 100,000 alerts changed at once, 500 damaged bundles",
    needsBuild: false,
    runs: [
      {
        project: "unit",
        paths: ["apps/player/src/pairing", "apps/player/src/playback", "apps/soc/src/devices/attestation"],
      },
      { project: "integration", paths: ["apps/soc/src/alerts/bulk-changes", "apps/soc/src/cases/ledger"] },
    ],
  },
  ...OPERATION_PROOFS,
  {
    name: "siem",
    description: "intake, search and detection, with kills of the worker and the database",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["apps/soc/src/logs", "apps/soc/src/detection"] },
      {
        project: "integration",
        isSequential: true,
        paths: [
          "apps/soc/src/adapters",
          "apps/soc/src/logs",
          "apps/soc/src/detection",
          "apps/soc/src/boot/worker.itest.ts",
          "apps/soc/src/boot/database-kills.itest.ts",
          "apps/soc/src/boot/demo.itest.ts",
        ],
      },
    ],
  },
  {
    name: "federation",
    description:
      "several log stores against one: random logs and questions, and kills of one of them amid inserts (half an hour)",
    needsBuild: false,
    runs: [
      {
        project: "integration",
        isSequential: true,
        paths: ["apps/soc/src/adapters/federation", "apps/soc/src/adapters/log-store-contract.itest.ts"],
      },
    ],
  },
  {
    name: "rules-as-code",
    description:
      "all public Sigma rules imported, pulled to a folder and pushed back without a difference; 5,000 at once",
    needsBuild: false,
    runs: [
      {
        project: "integration",
        isSequential: true,
        paths: ["apps/soc/src/detection/rule-files", "apps/soc/src/detection/rules/rule-sets.itest.ts"],
      },
    ],
  },
  {
    name: "fleet",
    description:
      "devices on a real mosquitto and swtpm: enrolment, revocation, attestation, kills of relay, broker and devices, 10,000 " +
      "devices attested (two hours; needs mosquitto, swtpm, tpm2-tools, ulimit -n 10500)",
    needsBuild: true,
    runs: [
      { project: "integration", paths: ["apps/soc/src/devices"], isSequential: true },
      { project: "e2e*", paths: ["e2e/watched-player.e2e.ts"] },
    ],
  },
  {
    name: "partitions",
    description:
      "owners of partitions as processes that are killed and frozen: no log is lost or doubled, each match is raised once",
    needsBuild: false,
    runs: [
      {
        project: "integration",
        paths: ["apps/soc/src/logs/partitions", "apps/soc/src/detection/partitions"],
        isSequential: true,
      },
    ],
  },
  {
    name: "simulation",
    description:
      "1,000,000 random histories: owners of partitions on hosts that die, freeze and lose the network, movers of the outbox; " +
      "1,000 workers on a simulated clock (half an hour)",
    needsBuild: false,
    runs: [
      {
        project: "unit",
        paths: [
          "apps/soc/src/logs/partitions/partitions-simulation.test.ts",
          "apps/soc/src/logs/partitions/workers-simulation.test.ts",
          "apps/soc/src/foundation/events/mover-simulation.test.ts",
        ],
      },
    ],
  },
  {
    name: "soc-window",
    description: "scheduled rules over one window of 20,000,000 logs (an hour; PROVE_WINDOW_LOGS shortens it)",
    needsBuild: false,
    env: { PROVE_WINDOW_LOGS: "20000000" },
    runs: [{ project: "integration", paths: ["apps/soc/src/detection/scheduling/whole-window.itest.ts"] }],
  },
  {
    name: "sigma-previews",
    description:
      "previews of all public rules over 10,000,000 logs beside searches (hours; BENCH_PREVIEWS shortens it)",
    needsBuild: false,
    env: { BENCH_ROWS: "10000000", BENCH_PREVIEWS: "4000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-previews.itest.ts"] }],
  },
  {
    name: "syslog",
    description:
      "datagrams of 500 senders, 5,000 a second for five minutes; bad rows; small bodies of millions of events",
    needsBuild: false,
    runs: [
      {
        project: "integration",
        isSequential: true,
        paths: [
          "apps/soc/src/logs/intake/syslog/datagrams.itest.ts",
          "apps/soc/src/logs/intake/pipeline/isolation.itest.ts",
          "apps/soc/src/logs/intake/intake-bombs.itest.ts",
        ],
      },
    ],
  },
  {
    name: "response",
    description: "playbooks, approvals, EDR, indicators, reports and notifications",
    needsBuild: true,
    runs: [
      {
        project: "integration",
        isSequential: true,
        paths: [
          "apps/soc/src/response",
          "apps/soc/src/detection/iocs",
          "apps/soc/src/reporting",
          "apps/soc/src/foundation/outbound",
        ],
      },
    ],
  },
  {
    name: "agents",
    description:
      "verdicts on public attack simulations, families of tools left out in turn (--situations FILE: others); kills, replays",
    needsBuild: true,
    runs: [
      { project: "unit", paths: ["apps/soc/src/assistants"] },
      { project: "integration", paths: ["apps/soc/src/assistants"] },
      {
        project: "e2e*",
        isSequential: true,
        paths: ["deaths", "outages", "replays"].map((name) => `e2e/soc/investigation-${name}.e2e.ts`),
      },
    ],
  },
  {
    name: "mcp",
    description:
      "the tools by MCP: the official conformance suite and clients, limits, strain (installs the suite and Node 24 from npm)",
    needsBuild: true,
    runs: [
      { project: "integration", paths: ["apps/soc/src/assistants/tools"] },
      { project: "e2e*", paths: ["e2e/soc/mcp.e2e.ts", "e2e/soc/mcp-conformance.e2e.ts"], isSequential: true },
    ],
  },
];
