/**
 * Test files that kill servers, boot devices or measure, with the seconds that each takes in the size of a build. A build runs one
 * slice of them and prints how long each file took; the nightly workflow runs all of them in full size. 40 is the assumption for a
 * file without a measurement. Tests of tenant isolation and of hostile texts stay in every build.
 */
export const ROTATED: Readonly<Record<string, number>> = {
  "apps/player/src/drivers/rauc-updater.itest.ts": 25,
  "apps/player/src/ota/ota-rauc.itest.ts": 26,
  "apps/soc/src/adapters/clickhouse/clickhouse-agreement.itest.ts": 17,
  "apps/soc/src/adapters/federation/federation-kills.itest.ts": 10,
  "apps/soc/src/adapters/log-engine/log-engine-patience.itest.ts": 10,
  "apps/soc/src/adapters/nats/nats-kills.itest.ts": 10,
  "apps/soc/src/adapters/old-days/day-mover.itest.ts": 40,
  "apps/soc/src/boot/database-kills.itest.ts": 10,
  "apps/soc/src/boot/demo.itest.ts": 89,
  "apps/soc/src/boot/worker.itest.ts": 21,
  "apps/soc/src/detection/matches/flood.itest.ts": 25,
  "apps/soc/src/detection/partitions/partition-kills.itest.ts": 36,
  "apps/soc/src/detection/scheduling/stream-lag.itest.ts": 10,
  "apps/soc/src/detection/scheduling/whole-window.itest.ts": 12,
  "apps/soc/src/devices/certificates/enrolment-races.itest.ts": 40,
  "apps/soc/src/devices/relay/fleet-load.itest.ts": 90,
  "apps/soc/src/devices/relay/relay-kills.itest.ts": 37,
  "apps/soc/src/logs/intake/intake-kills.itest.ts": 33,
  "apps/soc/src/logs/intake/intake-stream-kills.itest.ts": 10,
  "apps/soc/src/logs/query/condition-agreement.itest.ts": 13,
  "apps/soc/src/reporting/pages/shift.itest.ts": 20,
  "apps/soc/src/response/executions/executions-database.itest.ts": 22,
  "apps/soc/src/response/executions/executions-kills.itest.ts": 15,
  "e2e/documents/site.e2e.ts": 40,
  "e2e/player/dashboard/connection.e2e.ts": 40,
  "e2e/player/dashboard/errors.e2e.ts": 40,
  "e2e/player/dashboard/firmware-journey.e2e.ts": 40,
  "e2e/player/dashboard/journeys.e2e.ts": 40,
  "e2e/player/dashboard/monitoring-journey.e2e.ts": 40,
  "e2e/player/dashboard/pairing-journey.e2e.ts": 40,
  "e2e/player/dashboard/radio-journey.e2e.ts": 40,
  "e2e/player/dashboard/truth.e2e.ts": 40,
  "e2e/player/day-device.e2e.ts": 40,
  "e2e/player/day.e2e.ts": 40,
  "e2e/player/engine-deaths.e2e.ts": 40,
  "e2e/player/missing-parts.e2e.ts": 40,
  "e2e/player/package/apt-repository.e2e.ts": 40,
  "e2e/player/package/boot-loader.e2e.ts": 40,
  "e2e/player/package/bundle.e2e.ts": 40,
  "e2e/player/package/guide.e2e.ts": 90,
  "e2e/player/package/image.e2e.ts": 40,
  "e2e/player/package/package-life.e2e.ts": 60,
  "e2e/player/package/package-start.e2e.ts": 40,
  "e2e/player/power-cuts.e2e.ts": 40,
  "e2e/player/radio.e2e.ts": 40,
  "e2e/player/ready-and-memory.e2e.ts": 40,
  "e2e/player/service-deaths.e2e.ts": 40,
  "e2e/player/sockets.e2e.ts": 40,
  "e2e/player/storage.e2e.ts": 40,
  "e2e/soc/bucket-backup.e2e.ts": 40,
  "e2e/soc/cluster-faults.e2e.ts": 40,
  "e2e/soc/console/agents-journey.e2e.ts": 40,
  "e2e/soc/console/coverage-journey.e2e.ts": 40,
  "e2e/soc/console/faults.e2e.ts": 40,
  "e2e/soc/console/first-time.e2e.ts": 40,
  "e2e/soc/console/keys.e2e.ts": 40,
  "e2e/soc/console/records-journey.e2e.ts": 40,
  "e2e/soc/console/settings-journey.e2e.ts": 40,
  "e2e/soc/console/speed.e2e.ts": 40,
  "e2e/soc/database-deaths.e2e.ts": 40,
  "e2e/soc/full-disk.e2e.ts": 40,
  "e2e/soc/image/compose.e2e.ts": 40,
  "e2e/soc/image/hosts.e2e.ts": 40,
  "e2e/soc/image/pods.e2e.ts": 40,
  "e2e/soc/investigation-deaths.e2e.ts": 40,
  "e2e/soc/investigation-outages.e2e.ts": 40,
  "e2e/soc/investigation-replays.e2e.ts": 40,
  "e2e/soc/key-rotation.e2e.ts": 40,
  "e2e/soc/ledger.e2e.ts": 40,
  "e2e/soc/listeners.e2e.ts": 40,
  "e2e/soc/live-seams.e2e.ts": 40,
  "e2e/soc/log-deaths.e2e.ts": 40,
  "e2e/soc/mcp-conformance.e2e.ts": 40,
  "e2e/soc/old-days.e2e.ts": 40,
  "e2e/soc/old-log-store.e2e.ts": 40,
  "e2e/soc/package/package-life.e2e.ts": 90,
  "e2e/soc/point-in-time.e2e.ts": 40,
  "e2e/soc/service-deaths.e2e.ts": 40,
  "e2e/soc/two-processes.e2e.ts": 40,
  "e2e/soc/upgrade.e2e.ts": 40,
  "e2e/watched-player.e2e.ts": 40,
};

/** A prime: builds of every second or third commit reach all slices, too. */
const SLICES = 19;
export const MAX_SLICE_SECONDS = 300;

/** The longest file first, each into the slice that is the shortest so far. */
export function buildSlices(): { files: string[]; seconds: number }[] {
  const slices = Array.from({ length: SLICES }, () => ({ files: [] as string[], seconds: 0 }));
  for (const [file, seconds] of Object.entries(ROTATED).toSorted(([, a], [, b]) => b - a)) {
    const shortest = slices.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    shortest.files.push(file);
    shortest.seconds += seconds;
  }
  return slices;
}

/** The files that the build of the commit with this number runs. */
export function pickSlice(commit: number): readonly string[] {
  return buildSlices()[commit % SLICES]?.files ?? [];
}
