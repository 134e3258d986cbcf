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
  /** Opened on first use. */
  authority: () => Promise<Authority>;
  files: BrokerFiles;
  /** Undefined if no broker is configured; only the platform's device server then accepts certificates. */
  broker: (() => Promise<Broker>) | undefined;
  /** The names in the broker's certificate. */
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
/** The broker reads this list line by line. Devices beyond the limit have had no valid certificate for long. */
const MAX_DENIED = 10_000;
const CONTROL_TOPIC = "$CONTROL/dynamic-security/v1";

/**
 * Carries out revocations in this order: write list and access rights, reload the broker, verify that it refuses a
 * certificate that only the new list revokes, end sessions, and set `revoked`. Sessions end last, because a device
 * could reconnect before the broker knows the list.
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

  /** Renews the broker's certificate if it is missing, has other names or expires soon. */
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

  /**
   * Signs and writes a new list with all currently revoked certificates. Returns a certificate that only this list
   * revokes.
   */
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
  /** Returns the certificate for commands to the broker and renews it after half of its lifetime. */
  async function openControl(): Promise<Pair> {
    const now = clock.now().getTime();
    if (!control || control.not_after.getTime() - now < CONTROL_MS / 2) {
      control = await (await authority()).issueForClient(pickControlName(ids.secret(1)[0] ?? 0), CONTROL_MS);
    }
    return control;
  }

  /** Another process with the same client name may end this session, so retry once with a new name. */
  async function cut(connected: Broker, device_ids: readonly string[], signal: AbortSignal): Promise<void> {
    try {
      await connected.cut(device_ids, await openControl(), signal);
    } catch (error) {
      if (signal.aborted) throw error;
      control = undefined;
      await connected.cut(device_ids, await openControl(), signal);
    }
  }

  /** Returns whether the command was carried out; dry_run only records it. */
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

  /** Carries out pending revocations up to a limit and returns the number. */
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

    /** For the request that revokes: if this fails, the device stays `revoking` and the worker retries. */
    async settleNow(): Promise<void> {
      await settle().catch((error: unknown) => log.warn({ err: error }, "revocation failed; the worker will retry it"));
    },

    /**
     * Signs a new list if the last one is older than the given time, lacks a revoked certificate, or a file is missing.
     * Runs in every mode, because the broker refuses every device after the list has expired.
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
        // Another release may have written different rights.
        (await files.read("acl"))?.startsWith(buildAccessList([])) === true;
      if (isFresh) return false;
      await publish();
      if (broker) await (await broker()).reload(clock.deadline(EXCHANGE_MS));
      return true;
    },

    /**
     * Ends sessions of devices revoked within the given time again; see `buildAccessList` for how they could connect.
     */
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
    // A file that is not a certificate is replaced.
    return false;
  }
}
