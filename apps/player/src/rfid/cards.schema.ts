import Type, { type Static } from "typebox";
import { Target, TargetRequest } from "../targets/target.schema.ts";

const ON_REPEAT = ["toggle", "restart", "next", "ignore"] as const;
const ON_REMOVE = ["inherit", "continue", "pause", "stop"] as const;

const OnRepeat = Type.Enum([...ON_REPEAT], {
  title: "OnRepeat",
  description: "what a tap does while the card's source is current",
});
const OnRemove = Type.Enum([...ON_REMOVE], { title: "OnRemove", description: "inherit uses the card_removal setting" });

export const CardBody = Type.Object(
  {
    uid: Type.String({ maxLength: 64, description: "upper-case hex of 4, 7 or 10 bytes" }),
    name: Type.String({ minLength: 1, maxLength: 100 }),
    binding: Target,
    on_repeat: OnRepeat,
    on_remove: OnRemove,
  },
  { title: "Card" },
);
export type CardBody = Static<typeof CardBody>;
export const CardsBody = Type.Object({ cards: Type.Array(CardBody) }, { title: "CardList" });

/** A card in a backup: its binding is untrusted, as in a request. */
export const KeptCard = Type.Object({ ...CardBody.properties, binding: TargetRequest });

export const RegisterCardRequest = Type.Object(
  {
    uid: CardBody.properties.uid,
    name: CardBody.properties.name,
    binding: TargetRequest,
    on_repeat: Type.Optional(OnRepeat),
    on_remove: Type.Optional(OnRemove),
  },
  { title: "RegisterCardRequest", additionalProperties: false },
);
export type RegisterCardRequest = Static<typeof RegisterCardRequest>;

export const RegisterCardResult = Type.Object(
  {
    success: Type.Boolean(),
    uid: Type.String({ description: "in its stored form" }),
    created: Type.Boolean({ description: "false when the card existed already; its binding was replaced" }),
  },
  { title: "RegisterCardResult" },
);
export const CardParams = Type.Object({ uid: Type.String() });
export const RemoveCardResult = Type.Object({ success: Type.Boolean() }, { title: "RemoveCardResult" });

/** Also the data of the event `nfc`. */
export const ScanBody = Type.Object(
  {
    uid: Type.String({ description: "empty before the first tap" }),
    uid_len: Type.Integer({ description: "bytes" }),
    registered: Type.Boolean(),
    age_ms: Type.Integer({ description: "-1 before the first tap" }),
  },
  { title: "Scan" },
);
export type ScanBody = Static<typeof ScanBody>;

/** Sent when the cards changed. The socket is public, UIDs are not. */
export const CardsChange = Type.Object({
  action: Type.Enum(["added", "removed", "replaced"], {
    description: "added: also when it existed already; replaced: all of them, by a backup or a reset",
  }),
  count: Type.Integer({ description: "the current number" }),
});
export type CardsChange = Static<typeof CardsChange>;
