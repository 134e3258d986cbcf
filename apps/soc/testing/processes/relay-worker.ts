import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createLog } from "@kit/log";
import { createMosquitto } from "../../src/adapters/broker/mosquitto.ts";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { openAuthority } from "../../src/devices/certificates/authority.ts";
import { createRelay } from "../../src/devices/relay/relay.feature.ts";
import { createBase } from "../../src/foundation/base.ts";
import { createOutbound } from "../../src/foundation/outbound/outbound.feature.ts";
import { createShowcaseClock } from "../../src/foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../src/foundation/yaml/local-yaml.ts";
import { createAttestationParts } from "../harness/attestation-parts.ts";

const { RELAY_DATABASE, RELAY_MIGRATIONS = "", RELAY_BROKER = "", RELAY_FOLDER = "" } = process.env;

// The relay and the attestation worker, in a process that a test can kill.
const clock = createClock();
const ids = createIds(clock);
const log = createLog({ clock, level: "info" });
const database = createDatabase({
  url: RELAY_DATABASE,
  migrationsFolder: RELAY_MIGRATIONS,
  clock,
  log,
  onFirstAnswer: async () => undefined,
});
const showcase = createShowcaseClock(clock, buildShowcase);
const base = createBase({ yaml: LOCAL_YAML, mode: "real", database, showcase, clock, ids, log });
const opened = openAuthority({ path: `${RELAY_FOLDER}/devices-ca.pem`, clock, ids });
const authority = () => opened;
const broker = async () => {
  const { certificate } = await opened;
  return createMosquitto({ url: RELAY_BROKER, reload: { pidFile: "" }, authority: certificate, clock });
};
const start = { id: ids.next(), at: clock.now(), mode: "real" } as const;
const outbound = createOutbound(base, {
  ...{ start, hasDatabase: true, httpAdapters: [], configured: [], mailbox: undefined },
});
const { feature } = createAttestationParts(base, { dataFolder: RELAY_FOLDER, broker });
const relay = createRelay(base, { ...outbound.services, ...feature.services, authority, broker });
await base.runtime.truth();
for (const background of [
  ...feature.registrations.createWork().background(),
  ...relay.registrations.createRelaying(),
]) {
  await background.start();
}
process.stdout.write("relay is ready\n");
