import type { Clock } from "@kit/clock";
import type { Kysely } from "kysely";
import type { Tables } from "../../foundation/database/tables.ts";
import { findRefusal } from "../../foundation/runtime/effects.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCertificatesStore } from "./certificates.store.ts";
import { refuseCertificate } from "./client-certificate.ts";

export interface DeviceIdentityDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  clock: Pick<Clock, "now">;
}
export type DeviceIdentity = ReturnType<typeof createDeviceIdentity>;

/** Identifies devices by their certificates. Each request reads the revocation state from the records. */
export function createDeviceIdentity({ db, runtime, clock }: DeviceIdentityDeps) {
  return {
    /** Returns the device of the valid certificate that the sender has proved to hold. */
    async require(fingerprint: string): Promise<string> {
      const refusal = findRefusal("internal", false, await runtime.truth());
      if (refusal) throw refusal;
      const own = await createCertificatesStore(db).findByFingerprint(fingerprint);
      const isValid = own && own.revoked_at === null && own.not_after > clock.now();
      if (!isValid || own.device_id === null) {
        throw refuseCertificate();
      }
      return own.device_id;
    },
  };
}
