import { invalidField, notFound } from "@kit/problem";
import { listPart } from "../backup/list-part.ts";
import type { Events } from "../events.ts";
import { below } from "../storage/backup-part.ts";
import { readTarget } from "../targets/target.ts";
import type { TargetsService } from "../targets/targets.service.ts";
import { parseUid } from "./card.ts";
import { type CardBody, type CardsChange, KeptCard, type RegisterCardRequest } from "./cards.schema.ts";
import type { CardsStore } from "./cards.store.ts";

export interface CardsServiceDeps {
  store: CardsStore;
  targets: Pick<TargetsService, "check">;
  events: Pick<Events, "emit">;
}
export type CardsService = ReturnType<typeof createCardsService>;

const MAX_CARDS = 256;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Refuses invalid cards and names the field. Does not check whether the target of the binding exists. */
function readCard(request: RegisterCardRequest): CardBody {
  const { name, on_repeat = "toggle", on_remove = "inherit" } = request;
  const uid = parseUid(request.uid);
  if (uid === undefined) throw invalidField("uid", "must be 4, 7 or 10 bytes in hexadecimal");
  if (CONTROL_CHARACTER.test(name))
    throw invalidField("name", "must not contain control characters", { code: "characters_forbidden" });
  return { uid, name, binding: readTarget("binding", request.binding), on_repeat, on_remove };
}

export function createCardsService({ store, targets, events }: CardsServiceDeps) {
  function emitChange(action: CardsChange["action"]): void {
    events.emit("cards", { action, count: store.count() });
  }

  return {
    list: (): CardBody[] => store.list(),

    find: (uid: string): CardBody | undefined => store.find(uid),

    /** Each UID is one card: registering it again replaces all its fields. */
    async register(request: RegisterCardRequest): Promise<{ uid: string; created: boolean }> {
      const card = readCard(request);
      await targets.check("binding", card.binding);
      const isKnown = store.find(card.uid) !== undefined;
      if (!isKnown && store.count() >= MAX_CARDS) {
        throw invalidField("cards", `there are ${MAX_CARDS} already, and no more can be kept`, {
          code: "storage_limit",
        });
      }
      store.save(card);
      emitChange("added");
      return { uid: card.uid, created: !isKnown };
    },

    backup: listPart({
      name: "cards",
      Item: KeptCard,
      maxItems: MAX_CARDS,
      list: () => store.list(),
      keysOf: ({ uid }) => [`uid ${parseUid(uid)}`],
      // The targets of the bindings may be in the same backup, so their existence is not checked.
      check: (card, field) => below(field, () => readCard(card)),
      removeAll: () => store.removeAll(),
      insert: (card) => store.save(readCard(card)),
      reload: () => emitChange("replaced"),
    }),

    remove(text: string): void {
      const uid = parseUid(text);
      if (uid === undefined || !store.remove(uid)) throw notFound("card", text);
      emitChange("removed");
    },
  };
}
