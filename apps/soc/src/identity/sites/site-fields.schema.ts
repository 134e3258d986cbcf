import Type from "typebox";

// Fields of requests that name a site. Each takes the id or the name; the route gets what its records hold.

/** What a route gets, and what happens to a text that is no site. */
export const SITE_RULES = {
  id: { holds: "id", unknown: "refused" },
  name: { holds: "name", unknown: "refused" },
  /** The route answers 404 for it. */
  "id-or-text": { holds: "id", unknown: "passed" },
  /** Reports of agents are not lost for it. */
  "name-or-text": { holds: "name", unknown: "passed" },
  /** Logs and heartbeats bring names of their own into records, and lists show them. */
  "name-or-recorded": { holds: "name", unknown: "recorded" },
} as const;
export type SiteRule = keyof typeof SITE_RULES;

/** The keyword of a schema that has its rule. */
export const SITE_KEYWORD = "x-site";

function siteField(rule: SiteRule) {
  const description = "the id or the name of a site";
  return Type.String({ minLength: 1, maxLength: 200, description, [SITE_KEYWORD]: rule });
}

export const SiteId = siteField("id");
export const SiteName = siteField("name");
export const SiteIdOrText = siteField("id-or-text");
export const SiteNameOrText = siteField("name-or-text");
export const SiteFilter = siteField("name-or-recorded");
