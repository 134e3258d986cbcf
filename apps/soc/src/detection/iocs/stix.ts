import { invalidField, Problem } from "@kit/problem";
import {
  type Fields,
  formatOwnLabel,
  isFields,
  listAt,
  optional,
  type Reading,
  readLabels,
  requireFew,
  textAt,
  textsAt,
  toSource,
} from "./exchange.ts";
import type { Ioc } from "./ioc.ts";
import type { CreateIocRequest } from "./iocs.schema.ts";
import { formatPattern, parsePatternValues } from "./stix-pattern.ts";

// The markings of TLP 2.0 and, for reading, of TLP 1.0 (STIX 2.1, 7.2.1.4).
const TLP_IDS: Readonly<Record<Ioc["tlp"], string>> = {
  clear: "marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487",
  green: "marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb",
  amber: "marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421",
  "amber+strict": "marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003",
  red: "marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1",
};
const LEVELS: ReadonlyMap<string, Ioc["tlp"]> = new Map<string, Ioc["tlp"]>([
  [TLP_IDS.clear, "clear"],
  [TLP_IDS.green, "green"],
  [TLP_IDS.amber, "amber"],
  [TLP_IDS["amber+strict"], "amber+strict"],
  [TLP_IDS.red, "red"],
  ["marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9", "clear"],
  ["marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da", "green"],
  ["marking-definition--f88d31f6-486f-44da-b317-01333bde0b82", "amber"],
  ["marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed", "red"],
]);
const TLP_EXTENSION = "extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d";
// Metadata about indicators, skipped without a refusal.
const ABOUT = new Set(["identity", "marking-definition", "extension-definition"]);

/** Reads every object of a bundle except metadata. */
export function readStix(bundle: unknown): Reading[] {
  if (!isFields(bundle) || bundle.type !== "bundle" || !Array.isArray(bundle.objects)) {
    throw invalidField("body", "must be a STIX 2.1 bundle with objects");
  }
  const objects = listAt(bundle, "objects");
  requireFew(objects.length);
  const names = new Map(
    objects.filter(isFields).map((each) => [textAt(each, "id") ?? "", textAt(each, "name") ?? ""] as const),
  );
  return objects.flatMap((object, place) => readObject(object, place, names));
}

function readObject(object: unknown, place: number, names: ReadonlyMap<string, string>): Reading[] {
  if (!isFields(object)) return [{ object: place, id: "", reason: "is not an object" }];
  const id = textAt(object, "id") ?? "";
  const type = textAt(object, "type") ?? "";
  if (ABOUT.has(type)) return [];
  const reason = findRefusal(object, type);
  if (reason !== undefined) return [{ object: place, id, reason }];
  try {
    const common = toCommonFields(object, names);
    return parsePatternValues(textAt(object, "pattern") ?? "").map((value) => ({
      object: place,
      id,
      request: { ...common, ...value },
    }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [{ object: place, id, reason: error.message }];
  }
}

function findRefusal(object: Fields, type: string): string | undefined {
  if (type !== "indicator") return `type: '${type}' is not an indicator`;
  if (object.revoked === true) return "revoked: the indicator was revoked";
  const language = textAt(object, "pattern_type") ?? "stix";
  return language === "stix" ? undefined : `pattern_type: '${language}' is not supported, only stix is`;
}

function toCommonFields(object: Fields, names: ReadonlyMap<string, string>): Omit<CreateIocRequest, "value"> {
  const labels = readLabels(textsAt(object, "labels"));
  const tlp = textsAt(object, "object_marking_refs").flatMap((id) => LEVELS.get(id) ?? []);
  const confidence = object.confidence;
  const [first_seen, modified] = [textAt(object, "valid_from"), textAt(object, "modified")];
  return {
    tags: labels.tags,
    ...toSource(labels.source ?? (names.get(textAt(object, "created_by_ref") ?? "") || "stix")),
    ...optional("severity", labels.severity),
    ...optional("tlp", tlp[0]),
    ...optional("confidence", typeof confidence === "number" ? confidence : undefined),
    ...optional("first_seen", first_seen),
    ...optional("last_seen", pickLater(first_seen, modified)),
    ...optional("expires_at", textAt(object, "valid_until")),
  };
}

/** `modified` may be earlier than `valid_from`; last_seen must not be earlier than first_seen. */
function pickLater(first: string | undefined, last: string | undefined): string | undefined {
  if (first === undefined || last === undefined) return last;
  return Date.parse(last) < Date.parse(first) ? first : last;
}

export function toStixIndicator(ioc: Ioc): object {
  const created = ioc.first_seen.toISOString();
  return {
    type: "indicator",
    spec_version: "2.1",
    id: `indicator--${ioc.id}`,
    created,
    modified: ioc.last_seen.toISOString(),
    name: ioc.value,
    pattern: formatPattern(ioc),
    pattern_type: "stix",
    pattern_version: "2.1",
    valid_from: created,
    // STIX requires that valid_until is later than valid_from.
    ...(ioc.expires_at && ioc.expires_at > ioc.first_seen && { valid_until: ioc.expires_at.toISOString() }),
    confidence: ioc.confidence,
    labels: [...ioc.tags, formatOwnLabel("severity", ioc.severity), formatOwnLabel("source", ioc.source)],
    object_marking_refs: [TLP_IDS[ioc.tlp]],
  };
}

/** The TLP markings that indicators refer to. */
export function stixMarkings(): object[] {
  return Object.entries(TLP_IDS).map(([level, id]) => ({
    type: "marking-definition",
    spec_version: "2.1",
    id,
    created: "2022-10-01T00:00:00.000Z",
    name: `TLP:${level.toUpperCase()}`,
    extensions: { [TLP_EXTENSION]: { extension_type: "property-extension", tlp_2_0: level } },
  }));
}
