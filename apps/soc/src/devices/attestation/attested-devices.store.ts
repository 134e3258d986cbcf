import { type Generated, sql } from "kysely";
import type { Db } from "../../foundation/database/tables.ts";
import type { SeenBoots } from "./boots.ts";
import type { CatalogEntry } from "./firmware-match.ts";
import type { PcrValues } from "./quote.ts";

export interface AttestedDeviceRow {
  device_id: string;
  next_at: Date;
  endorsement_name: string | null;
  attestation_key: Buffer | null;
  clock_info: { clock: string; resetCount: number; restartCount: number; safe: boolean } | null;
  boots: (Omit<SeenBoots[number], "at"> & { at: string })[];
  clone: string | null;
  entry_hash: string | null;
}

export interface ChallengeRow {
  device_id: string;
  endorsement_name: string;
  attestation_key: Buffer;
  secret_hash: string;
  expires_at: Date;
}

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    attested_devices: Omit<AttestedDeviceRow, "boots"> & { boots: Generated<AttestedDeviceRow["boots"]> };
    attestation_challenges: ChallengeRow;
  }
}

const MAX_CANDIDATES = 100;
type AttestedState = Pick<AttestedDeviceRow, "clock_info" | "boots" | "clone" | "entry_hash">;
type Keys = Pick<AttestedDeviceRow, "endorsement_name" | "attestation_key">;

export type AttestedDevicesWriter = ReturnType<typeof createAttestedDevicesWriter>;

export function createAttestedDevicesWriter(tx: Db) {
  const entries = () =>
    tx.selectFrom("firmware").select(["id", "version", "hash", "pcrs", "sbom_components", "known_good"]);
  return {
    /** Locks and returns the row of the device; creates it on first use. */
    async lock(device_id: string, next_at: Date): Promise<AttestedDeviceRow> {
      const select = () => tx.selectFrom("attested_devices").selectAll().where("device_id", "=", device_id).forUpdate();
      const known = await select().executeTakeFirst();
      if (known) return known;
      const empty = { endorsement_name: null, attestation_key: null, clock_info: null, clone: null, entry_hash: null };
      await tx
        .insertInto("attested_devices")
        .values({ device_id, next_at, ...empty })
        .onConflict((known) => known.column("device_id").doNothing())
        .execute();
      return select().executeTakeFirstOrThrow();
    },

    async keep(device_id: string, { clock_info, boots, clone, entry_hash }: AttestedState): Promise<void> {
      const documents = {
        clock_info: sql<AttestedState["clock_info"]>`${clock_info && JSON.stringify(clock_info)}::jsonb`,
        boots: sql<AttestedState["boots"]>`${JSON.stringify(boots)}::jsonb`,
      };
      await tx
        .updateTable("attested_devices")
        .set({ ...documents, clone, entry_hash })
        .where("device_id", "=", device_id)
        .execute();
    },

    async setKeys(device_id: string, keys: Keys): Promise<void> {
      await tx.updateTable("attested_devices").set(keys).where("device_id", "=", device_id).execute();
    },

    /** Deletes keys and history after the device was enrolled again. */
    async forget(device_id: string): Promise<void> {
      const empty = { endorsement_name: null, attestation_key: null, clock_info: null, clone: null };
      await tx
        .updateTable("attested_devices")
        .set({ ...empty, boots: sql`'[]'::jsonb` })
        .where("device_id", "=", device_id)
        .execute();
      await tx.deleteFrom("attestation_challenges").where("device_id", "=", device_id).execute();
    },

    /** Lists devices without a row that are not revoked. */
    async listNew(limit: number): Promise<string[]> {
      const rows = await tx
        .selectFrom("devices")
        .leftJoin("attested_devices", "attested_devices.device_id", "devices.id")
        .select("devices.id")
        .where("attested_devices.device_id", "is", null)
        .where("devices.revoked_at", "is", null)
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Lists due devices, longest waiting first. */
    async listDue(now: Date, limit: number): Promise<string[]> {
      const rows = await tx
        .selectFrom("attested_devices")
        .innerJoin("devices", "devices.id", "attested_devices.device_id")
        .select("device_id")
        .where("next_at", "<=", now)
        .where("revoked_at", "is", null)
        .orderBy("next_at")
        .limit(limit)
        .execute();
      return rows.map(({ device_id }) => device_id);
    },

    async postpone(device_id: string, next_at: Date): Promise<void> {
      await tx.updateTable("attested_devices").set({ next_at }).where("device_id", "=", device_id).execute();
    },

    /** Replaces an earlier challenge of the device. */
    async challenge({ device_id, ...row }: ChallengeRow): Promise<void> {
      await tx
        .insertInto("attestation_challenges")
        .values({ device_id, ...row })
        .onConflict((known) => known.column("device_id").doUpdateSet(row))
        .execute();
    },

    /** Deletes and returns the challenge. */
    takeChallenge: (device_id: string, now: Date): Promise<ChallengeRow | undefined> =>
      tx
        .deleteFrom("attestation_challenges")
        .where("device_id", "=", device_id)
        .where("expires_at", ">", now)
        .returningAll()
        .executeTakeFirst(),

    async deleteChallenges(before: Date, limit: number): Promise<number> {
      const { numAffectedRows = 0n } = await sql`
        DELETE FROM attestation_challenges WHERE device_id IN (
          SELECT device_id FROM attestation_challenges WHERE expires_at < ${before} LIMIT ${limit}
        )`.execute(tx);
      return Number(numAffectedRows);
    },

    /** Lists catalog entries whose PCRs all have the given values, most PCRs first. */
    findFirmwareByPcrs: (pcrs: PcrValues): Promise<CatalogEntry[]> =>
      entries()
        .where(sql<boolean>`pcrs <> '{}'::jsonb AND pcrs <@ ${JSON.stringify(pcrs)}::jsonb`)
        .orderBy(sql`(SELECT count(*) FROM jsonb_object_keys(pcrs))`, "desc")
        .orderBy("known_good")
        .limit(MAX_CANDIDATES)
        .execute(),

    findFirmwareByHashes: async (hashes: readonly string[]): Promise<CatalogEntry[]> =>
      hashes.length === 0 ? [] : entries().where("hash", "in", hashes).limit(MAX_CANDIDATES).execute(),
  };
}
