import type { Static } from "typebox";
import type { CoverageBody, LayerBody } from "./attack.schema.ts";
import { ATTACK_VERSION } from "./attack-v18.ts";

type Techniques = Static<typeof CoverageBody>["techniques"];

const RAN = "#8ec843";
const EXISTS = "#ffe766";
const SILENT = "#ff6666";

/**
 * Builds the coverage of one matrix as a layer of ATT&CK Navigator, format 4.5. The version is included only for the
 * shipped data, whose version is known.
 */
export function buildLayer(
  domain: string,
  techniques: Techniques,
  isShipped: boolean,
  name: string,
): Static<typeof LayerBody> {
  const covered = techniques.filter(({ rule_count }) => rule_count > 0);
  return {
    name,
    versions: { ...(isShipped && { attack: ATTACK_VERSION }), navigator: "5.1.0", layer: "4.5" },
    domain,
    description:
      covered.length > 0
        ? "Techniques with enabled detection rules; the score is the number of rules."
        : "No enabled detection rule that matches the filters names a technique of this matrix.",
    sorting: 0,
    hideDisabled: false,
    techniques: covered.map(({ id, rule_count, state, alerts_30d }) => ({
      techniqueID: id,
      score: rule_count,
      color: toColor(state),
      comment: `${rule_count} rules, ${alerts_30d} alerts in 30 days: ${state}`,
      enabled: true,
      showSubtechniques: false,
      metadata: [
        { name: "state", value: state },
        { name: "alerts_30d", value: String(alerts_30d) },
      ],
    })),
    gradient: { colors: [EXISTS, RAN], minValue: 0, maxValue: Math.max(1, ...covered.map((each) => each.rule_count)) },
    legendItems: [
      { label: "rules ran", color: RAN },
      { label: "rules exist and have not run", color: EXISTS },
      { label: "the source of the rules is silent", color: SILENT },
    ],
  };
}

function toColor(state: Techniques[number]["state"]): string {
  if (state === "silent") return SILENT;
  return state === "ran" ? RAN : EXISTS;
}
