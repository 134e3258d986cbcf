import Type from "typebox";

// Request fields that name a site. Each accepts the id or the name; the route receives the form that its records store.

/** What a route receives, and what happens to a text that is not a site. */
export const SITE_RULES = {
  id: { holds: "id", unknown: "refused" },
  name: { holds: "name", unknown: "refused" },
  /** The route answers 404 for an unknown site. */
  "id-or-text": { holds: "id", unknown: "passed" },
  /** An unknown site must not cause the loss of an agent's report. */
  "name-or-text": { holds: "name", unknown: "passed" },
  /** Logs and heartbeats bring their own names into records, and lists show these names. */
  "name-or-recorded": { holds: "name", unknown: "recorded" },
} as const;
export type SiteRule = keyof typeof SITE_RULES;

/** The schema keyword that contains the rule. */
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
