import type { Base, Registrations } from "../../foundation/base.ts";
import type { KeyRing } from "../sessions/tokens.ts";
import { createChallengesService } from "./challenges.service.ts";
import { createChallengesStore } from "./challenges.store.ts";
import { createRelyingPartyFinder } from "./relying-party.ts";

const MAX_SWEPT = 1000;
/** The showcase has no security keys, so nothing is ever signed there. */
const NO_USES = { use: async () => false };

/** The challenges that security keys sign, and their relying party. */
export function createWebAuthn({ db, runtime, clock, ids }: Base, publicUrl: string | undefined) {
  const uses = createChallengesStore(db);
  const stores = { database: uses, showcase: NO_USES };
  return {
    services: {
      findRelyingParty: createRelyingPartyFinder(publicUrl),
      /** Signed with the token keys, which all processes share. */
      createChallenges: (keys: KeyRing) => createChallengesService({ runtime, stores, keys, clock, ids }),
    },
    registrations: {
      sweeps: [{ name: "used challenges", run: () => uses.deleteEnded(clock.now(), MAX_SWEPT) }],
    } satisfies Registrations,
  };
}
