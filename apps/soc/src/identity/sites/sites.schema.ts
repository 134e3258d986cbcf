import Type, { type Static } from "typebox";

export const ASSET_CLASSES = ["it", "cloud", "identity", "ot", "iot", "medical", "building", "mobile"] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

/** Any document that declares asset classes: those of the agents, and others of the operator. */
const SiteProfile = Type.Object(
  {
    asset_classes: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      maxItems: 50,
      default: [],
      description: `well known: ${ASSET_CLASSES.join(", ")}`,
    }),
  },
  { additionalProperties: true },
);

export const CreateSiteRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    profile: Type.Unsafe<Static<typeof SiteProfile>>({ ...SiteProfile, default: {} }),
  },
  { title: "CreateSiteRequest", additionalProperties: false },
);
export type CreateSiteRequest = Static<typeof CreateSiteRequest>;

export const SiteBody = Type.Object(
  { id: Type.String(), name: Type.String(), profile: SiteProfile },
  { title: "Site" },
);
export type SiteBody = Static<typeof SiteBody>;

export const SitePath = Type.Object({ id: Type.String() });
