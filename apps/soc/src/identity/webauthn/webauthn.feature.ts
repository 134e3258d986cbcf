import type { Base } from "../../foundation/base.ts";
import type { Registrations } from "../../foundation/registrations.ts";
import type { KeyRing } from "../sessions/tokens.ts";
import { createChallengesService } from "./challenges.service.ts";
import { createChallengesStore } from "./challenges.store.ts";
import { createRelyingPartyFinder } from "./relying-party.ts";

const MAX_SWEPT = 1000;
/** The showcase has no security keys, so nothing is ever signed there. */
const NO_USES = { use: async () => false };

/** What security keys sign, and for whom. */
export function createWebAuthn({ db, runtime, clock, ids }: Base, publicUrl: string | undefined) {
  const uses = createChallengesStore(db);
  const stores = { database: uses, showcase: NO_USES };
  return {
    services: {
      findRelyingParty: createRelyingPartyFinder(publicUrl),
      /** Signed with the keys of tokens, which all processes share. */
      createChallenges: (keys: KeyRing) => createChallengesService({ runtime, stores, keys, clock, ids }),
    },
    registrations: {
      sweeps: [{ name: "used challenges", run: () => uses.deleteEnded(clock.now(), MAX_SWEPT) }],
    } satisfies Registrations,
  };
}
