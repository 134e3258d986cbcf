import Type, { type Static } from "typebox";
import { SiteProfile } from "../../casework/sites/sites.schema.ts";

/** In the order in which they are copied: an alert names its case. */
export const MOVED_PARTS = ["cases", "alerts", "logs"] as const;
export type MovedPart = (typeof MOVED_PARTS)[number];

const Uuid = Type.String({ format: "uuid" });
const SiteName = Type.String({ minLength: 1, maxLength: 200 });
const CellName = Type.String({ minLength: 1, maxLength: 63 });
const Part = Type.Enum([...MOVED_PARTS]);

export const MAX_PAGE_ITEMS = 5000;
/** The texts of a page. A record that is larger is a page of its own. */
export const MAX_PAGE_BYTES = 4 * 1024 ** 2;
/** A page as JSON inside JSON. */
export const MAX_BODY_BYTES = 16 * 1024 ** 2;

export const MoveRequest = Type.Object({ site_id: Uuid, to: CellName }, { additionalProperties: false });
export type MoveRequest = Static<typeof MoveRequest>;

export const MovePath = Type.Object({ id: Uuid });

export const MoveBody = Type.Object({
  site_id: Type.String(),
  site_name: Type.String(),
  profile: SiteProfile,
  to: Type.String(),
  state: Type.Enum(["frozen", "moved"]),
  is_settled: Type.Boolean({ description: "all logs that were acknowledged before the freeze are stored" }),
});
export type MoveBody = Static<typeof MoveBody>;

export const RecordsQuery = Type.Object(
  {
    site_id: Uuid,
    site_name: SiteName,
    part: Part,
    after: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Integer({ minimum: 1, maximum: MAX_PAGE_ITEMS, default: MAX_PAGE_ITEMS }),
    only: Type.Optional(Type.Enum(["digest"])),
  },
  { additionalProperties: false },
);
export type RecordsQuery = Static<typeof RecordsQuery>;

const LastEntry = Type.Object(
  { case_id: Uuid, sequence: Type.Integer({ minimum: 1 }), entry_hash: Type.String({ pattern: "^[0-9a-f]{64}$" }) },
  { additionalProperties: false },
);
const LastEntries = Type.Array(LastEntry, { maxItems: MAX_PAGE_ITEMS, description: "of each case: not in the digest" });

export const RecordsBody = Type.Object({
  items: Type.Array(Type.String()),
  count: Type.Integer(),
  digest: Type.String({ description: "SHA-256 over the items" }),
  next: Type.Union([Type.String(), Type.Null()], { description: "`after` of the next page; null for the last one" }),
  last_entries: LastEntries,
});
export type RecordsBody = Static<typeof RecordsBody>;

export const ArrivingRequest = Type.Object(
  {
    site_id: Uuid,
    site_name: SiteName,
    from: CellName,
    part: Part,
    items: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_PAGE_ITEMS }),
    last_entries: LastEntries,
  },
  { additionalProperties: false },
);
export type ArrivingRequest = Static<typeof ArrivingRequest>;

export const ArrivingBody = Type.Object({ count: Type.Integer() });

export const ArrivalRequest = Type.Object(
  { site_id: Uuid, site_name: SiteName, profile: SiteProfile, from: CellName },
  { additionalProperties: false },
);
export type ArrivalRequest = Static<typeof ArrivalRequest>;

export const ArrivalBody = Type.Object({ site_id: Type.String(), site_name: Type.String() });
