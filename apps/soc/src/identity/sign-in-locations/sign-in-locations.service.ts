import type { Clock } from "@kit/clock";
import type { Kysely } from "kysely";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Tables } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Device } from "../sessions/session.ts";
import { toPlace } from "./sign-in-location.ts";
import { createPlacesWriter } from "./sign-in-locations.store.ts";

export interface PlacesServiceDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  audit: Recorder;
  clock: Pick<Clock, "now">;
}
export type PlacesService = ReturnType<typeof createPlacesService>;

/** Detects a sign-in from a new place of the user. */
export function createPlacesService({ db, runtime, audit, clock }: PlacesServiceDeps) {
  return {
    /** The event about a new place is delivered to the inbox of the user. */
    async note(username: string, device: Device): Promise<void> {
      if (!(await runtime.truth()).is_internal_workflows_allowed) return;
      const { address } = device;
      const place = toPlace(device);
      await db.transaction().execute(async (tx) => {
        if (!(await createPlacesWriter(tx).note(username, place, clock.now()))) return;
        await audit.record(tx, {
          // The actor is the address, so that the user is notified: the sign-in may be by another person.
          actor: address,
          action: "auth.new_place",
          subject_type: "user",
          subject_id: username,
          details: { device: place.device, address },
        });
      });
    },
  };
}
