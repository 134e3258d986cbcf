import type { Proof } from "./proof.ts";

export const BENCHES: readonly Proof[] = [
  {
    name: "http",
    description: "the HTTP frame against raw node:http (six minutes; needs wrk)",
    needsBuild: true,
    runs: [{ script: "tools/src/bench-http.ts" }],
  },
  {
    name: "player",
    description: "from a command to the sound, against bare mpv (a minute; needs mpv)",
    needsBuild: true,
    runs: [{ script: "tools/src/bench-player.ts" }],
  },
  {
    name: "metrics",
    description: "what a scrape costs a player that does nothing else (nine minutes; needs mpv)",
    needsBuild: true,
    runs: [{ script: "tools/src/bench-metrics.ts" }],
  },
  {
    name: "speed",
    description:
      "speeds of both products against packages/testing/src/budgets.ts (five minutes; needs mpv, chromium, mosquitto)",
    needsBuild: true,
    env: { BENCH_SPEED: "1" },
    runs: [
      { project: "unit", paths: ["apps/soc/src/assistants/chat/chat.showcase.test.ts"] },
      {
        project: "integration",
        isSequential: true,
        paths: [
          "apps/player/src/drivers/mpv-engine.itest.ts",
          "apps/player/src/library/library-scan.itest.ts",
          "apps/player/src/screen/pictures.itest.ts",
          "apps/soc/src/devices/broker/broker.itest.ts",
        ],
      },
      { project: "e2e*", paths: ["e2e/player/dashboard/first-load.e2e.ts"] },
    ],
  },
  {
    name: "soc",
    description: "lists and changes with 1,000,000 alerts in PostgreSQL",
    needsBuild: false,
    env: { BENCH_ALERTS: "1000000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-soc.itest.ts"] }],
  },
  {
    name: "requests",
    description: "PostgreSQL transactions of a request that brings logs (a minute)",
    needsBuild: true,
    env: { BENCH_REQUESTS: "2000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-requests.itest.ts"] }],
  },
  {
    name: "lists",
    description:
      "every list, summary, page and entity of the console with 1,000,000 alerts and 100,000 cases (8 minutes)",
    needsBuild: false,
    env: { BENCH_ALERTS: "1000000", BENCH_CASES: "100000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-lists.itest.ts"] }],
  },
  {
    name: "typing",
    description: "a rule tested while it is typed, over seven days of 10,000,000 logs (5 minutes)",
    needsBuild: false,
    env: { BENCH_ROWS: "10000000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-typing.itest.ts"] }],
  },
  {
    name: "siem",
    description: "intake, searches and rules at 10,000 events a second (30 minutes; BENCH_MINUTES shortens it)",
    needsBuild: true,
    env: {
      BENCH_STREAM_EVENTS: "60000",
      BENCH_LOG_BATCHES: "30",
      BENCH_INTAKE_BATCHES: "60",
      BENCH_RATE: "10000",
      BENCH_MINUTES: "10",
      BENCH_SIGMA_RULES: "4000",
      BENCH_ROWS: "10000000",
      BENCH_RULES: "10000",
      BENCH_EVENTS_PER_SECOND: "1000",
    },
    runs: [
      {
        project: "bench",
        isSequential: true,
        paths: [
          "apps/soc/testing/bench/bench-stream.itest.ts",
          "apps/soc/testing/bench/bench-log-engine.itest.ts",
          "apps/soc/testing/bench/bench-intake.itest.ts",
          "apps/soc/testing/bench/bench-searches.itest.ts",
          "apps/soc/testing/bench/bench-detections.itest.ts",
          "apps/soc/testing/bench/bench-sustained.itest.ts",
        ],
      },
    ],
  },
  {
    name: "idle",
    description: "what a service and a worker without clients ask of PostgreSQL, by statement (4 minutes)",
    needsBuild: true,
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-idle.itest.ts"] }],
  },
  {
    name: "growth",
    description:
      "processor time, transactions and bytes of an event with 1 to 12 partitions, and 12 partitions against one box (20 minutes)",
    needsBuild: true,
    env: {
      BENCH_PARTITIONS: "1,2,4,8,12",
      BENCH_PARTITION_RATE: "300",
      BENCH_SECONDS: "25",
      BENCH_BOX_EVENTS: "200000",
      BENCH_TURNS: "2",
      BENCH_SIGMA_RULES: "4000",
    },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-growth.itest.ts"] }],
  },
  {
    name: "one-box",
    description: "one box of this release against the former release, in turns (25 minutes)",
    needsBuild: true,
    env: { BENCH_BOX_EVENTS: "200000", BENCH_TURNS: "3", BENCH_SIGMA_RULES: "4000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-one-box.itest.ts"] }],
  },
  {
    name: "federation",
    description: "answers of five log stores of 2,000,000 logs against one of 10,000,000 (half an hour)",
    needsBuild: false,
    env: { BENCH_ROWS: "10000000" },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-federation.itest.ts"] }],
  },
  {
    name: "sites",
    description:
      "reads of a caller of some sites against those of a caller of all, and summaries, over 10,000,000 logs",
    needsBuild: false,
    env: { BENCH_ROWS: "10000000" },
    runs: [
      {
        project: "bench",
        isSequential: true,
        paths: ["apps/soc/testing/bench/bench-sites.itest.ts", "apps/soc/testing/bench/bench-summaries.itest.ts"],
      },
    ],
  },
  {
    name: "agents",
    description:
      "investigations and chat among 10,000,000 logs and 1,000,000 alerts (an hour; BENCH_MINUTES shortens it)",
    needsBuild: true,
    env: {
      BENCH_ROWS: "10000000",
      BENCH_ALERTS: "1000000",
      BENCH_INVESTIGATIONS: "100",
      BENCH_MINUTES: "30",
    },
    runs: [{ project: "bench", paths: ["apps/soc/testing/bench/bench-investigations.itest.ts"] }],
  },
  {
    name: "response",
    description: "100,000 indicators against events, and statistics over 1,000,000 alerts",
    needsBuild: false,
    env: {
      BENCH_IOCS: "100000",
      BENCH_RULES: "1000",
      BENCH_EVENTS: "200000",
      BENCH_ROWS: "10000000",
      BENCH_ALERTS: "1000000",
    },
    runs: [
      {
        project: "bench",
        isSequential: true,
        paths: ["apps/soc/testing/bench/bench-iocs.itest.ts", "apps/soc/testing/bench/bench-stats.itest.ts"],
      },
    ],
  },
];
