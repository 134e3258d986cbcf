import { createHash, X509Certificate } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { RecordedSending } from "../../foundation/outbound/recorded-sending.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Broker, Pair } from "../../ports/broker.ts";
import { buildAccessList, pickControlName } from "../broker/broker.ts";
import type { BrokerFile, BrokerFiles } from "../broker/broker-files.ts";
import type { Authority, IssuedCertificate } from "../certificates/authority.ts";
import { createCertificatesStore, createCertificatesWriter } from "../certificates/certificates.store.ts";
import { createDevicesWriter } from "./devices.store.ts";

export interface RevocationsServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  /** Opened with its first use. */
  authority: () => Promise<Authority>;
  files: BrokerFiles;
  /** Undefined when none is configured: then the platform's own device server is the only one that takes certificates. */
  broker: (() => Promise<Broker>) | undefined;
  /** The names of the broker in its certificate. */
  names: readonly string[];
  sendRecorded: RecordedSending;
  audit: Recorder;
  clock: Pick<Clock, "now" | "sleep" | "deadline">;
  ids: Ids;
  log: Pick<Log, "warn">;
}
export type RevocationsService = ReturnType<typeof createRevocationsService>;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PROBE_MS = 10 * MINUTE_MS;
const CONTROL_MS = 10 * MINUTE_MS;
const SERVER_MS = 90 * DAY_MS;
const SERVER_RENEWAL_MS = 30 * DAY_MS;
const EXCHANGE_MS = 5000;
const PROBE_WAIT_MS = 10;
const BATCH_SIZE = 100;
/** The broker reads this list line by line; older devices have had no valid certificate for long. */
const MAX_DENIED = 10_000;
const CONTROL_TOPIC = "$CONTROL/dynamic-security/v1";

/**
 * Carries revocations out: list and rights on disk, broker reloaded, a certificate that only the newest list revokes
 * seen refused, sessions cut, and only then `revoked`. The cut comes last: before the broker knows the list, a device
 * that is cut connects again.
 */
export function createRevocationsService(deps: RevocationsServiceDeps) {
  const { db, runtime, authority, files, names, broker, sendRecorded, audit, clock, ids, log } = deps;

  async function addProbe(tx: Tx, { issueForClient }: Authority): Promise<Pair> {
    const { serial, fingerprint, not_after, cert, key } = await issueForClient(`probe-${ids.next()}`, PROBE_MS);
    const now = clock.now();
    const row = { serial, fingerprint, not_after, device_id: null, key_hash: fingerprint };
    await createCertificatesWriter(tx).insert({ ...row, issued_at: now, revoked_at: now, is_listed: false });
    return { cert, key };
  }

  /** The certificate of the broker, when it is missing, is for other names or ends soon. */
  async function renewServer({ issueForServer, certificate }: Authority): Promise<[BrokerFile, string][]> {
    const current = await files.read("server.crt");
    const until = clock.now().getTime() + SERVER_RENEWAL_MS;
    if (current !== undefined && isServerValid(current, certificate, names, until)) return [];
    const { cert, key } = await issueForServer(names, SERVER_MS);
    return [
      ["server.key", key],
      ["server.crt", cert],
    ];
  }

  /** Signs and writes a new list, with all certificates that are revoked now. Returns a certificate that only it revokes. */
  async function publish(): Promise<Pair> {
    const opened = await authority();
    return db.transaction().execute(async (tx) => {
      const writer = createCertificatesWriter(tx);
      const { number } = await writer.lockList();
      const probe = await addProbe(tx, opened);
      const signed_at = clock.now();
      const { pem, nextUpdate } = opened.signList(number + 1, await writer.takeRevoked(signed_at));
      const denied = await createDevicesWriter(tx).listRevokedIds(MAX_DENIED);
      await files.write([
        ["ca.crt", opened.certificate],
        ...(await renewServer(opened)),
        ["acl", buildAccessList(denied)],
        ["crl.pem", pem],
      ]);
      await writer.updateList({ number: number + 1, signed_at, next_update: nextUpdate });
      return probe;
    });
  }

  async function waitUntilRefused(connected: Broker, probe: Pair, signal: AbortSignal): Promise<void> {
    while (!(await connected.refuses(probe, signal))) await clock.sleep(PROBE_WAIT_MS, signal);
  }

  let control: (IssuedCertificate & Pair) | undefined;
  /** The certificate by which this process commands the broker; a new one at half of its life. */
  async function openControl(): Promise<Pair> {
    const now = clock.now().getTime();
    if (!control || control.not_after.getTime() - now < CONTROL_MS / 2) {
      control = await (await authority()).issueForClient(pickControlName(ids.secret(1)[0] ?? 0), CONTROL_MS);
    }
    return control;
  }

  /** Another process may have the same name at the broker and end this session: a new name, once. */
  async function cut(connected: Broker, device_ids: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      await connected.cut(device_ids, await openControl(), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      control = undefined;
      await connected.cut(device_ids, await openControl(), signal);
    }
  }

  /** Returns whether it was carried out; in dry_run it is recorded. */
  async function command(
    device_ids: readonly string[],
    purpose: string,
    work: (connected: Broker, signal: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    if (!broker) return true;
    const connected = await broker();
    const body = JSON.stringify(device_ids);
    const receipt = await sendRecorded({
      factsIn: (mode) => ({
        mode,
        kind: "effect",
        destination: "broker",
        purpose,
        method: "MQTT",
        host: connected.host,
        path: CONTROL_TOPIC,
        body_sha256: createHash("sha256").update(body).digest("hex"),
        body_bytes: Buffer.byteLength(body),
      }),
      timeoutMs: EXCHANGE_MS,
      async send(signal) {
        await work(connected, signal);
        return { status: 200 };
      },
    });
    return receipt.outcome === "answered";
  }

  async function finish(device_ids: readonly string[]): Promise<void> {
    await db.transaction().execute(async (tx) => {
      for (const { id, name, revoked_by } of await createDevicesWriter(tx).finishRevocations(device_ids)) {
        await audit.record(tx, {
          actor: revoked_by ?? "",
          action: "device.revoked",
          subject_type: "device",
          subject_id: id,
          details: { name, verified: broker !== undefined },
        });
      }
    });
  }

  /** Carries out the revocations that wait, up to a limit. Returns how many. */
  async function settle(): Promise<number> {
    const { is_external_actions_allowed } = await runtime.truth();
    if (!is_external_actions_allowed) return 0;
    const waiting = await createDevicesWriter(db).listRevoking(BATCH_SIZE);
    if (waiting.length === 0) return 0;
    const device_ids = waiting.map(({ id }) => id);
    const probe = await publish();
    const isDone = await command(device_ids, "revoke the certificates of devices", async (connected, signal) => {
      await connected.reload(signal);
      await waitUntilRefused(connected, probe, signal);
      await cut(connected, device_ids, signal);
    });
    if (isDone) await finish(device_ids);
    return isDone ? device_ids.length : 0;
  }

  return {
    settle,

    /** For the request that revokes: if it fails now, the device stays `revoking` and the worker retries. */
    async settleNow(): Promise<void> {
      await settle().catch((error: unknown) => log.warn({ err: error }, "revocation failed; the worker will retry it"));
    },

    /**
     * Signs a new list when the last one is older than the given time, when a revoked certificate is missing in it, or
     * when a file is missing. The broker reads it in every mode: past its date it would refuse every device.
     */
    async refresh(maxAgeMs: number): Promise<boolean> {
      const store = createCertificatesStore(db);
      if (!broker && !(await store.hasAny())) return false;
      const now = clock.now();
      const { signed_at } = await store.readList();
      const isFresh =
        signed_at !== null &&
        now.getTime() - signed_at.getTime() < maxAgeMs &&
        !(await store.isListOutdated(now)) &&
        (await files.read("crl.pem")) !== undefined &&
        // Another release may have written other rights.
        (await files.read("acl"))?.startsWith(buildAccessList([])) === true;
      if (isFresh) return false;
      await publish();
      if (broker) await (await broker()).reload(clock.deadline(EXCHANGE_MS));
      return true;
    },

    /** Cuts devices again that were revoked within the given time: see `buildAccessList` for how they got in. */
    async cutAgain(sinceMs: number): Promise<void> {
      const { is_external_actions_allowed } = await runtime.truth();
      if (!broker || !is_external_actions_allowed) return;
      const since = new Date(clock.now().getTime() - sinceMs);
      const device_ids = await createDevicesWriter(db).listRevokedSince(since, BATCH_SIZE);
      if (device_ids.length === 0) return;
      const purpose = "end sessions of revoked devices";
      await command(device_ids, purpose, (connected, signal) => cut(connected, device_ids, signal));
    },
  };
}

function isServerValid(pem: string, authority: string, names: readonly string[], until: number): boolean {
  try {
    const server = new X509Certificate(pem);
    const isOurs = server.verify(new X509Certificate(authority).publicKey);
    const hasNames = names.every((name) => server.checkIP(name) ?? server.checkHost(name));
    return isOurs && hasNames && Date.parse(server.validTo) > until;
  } catch (error) {
    if (error instanceof Problem) throw error;
    // A file that is no certificate is replaced.
    return false;
  }
}
