import type { Measurement } from "./attestation-answer.schema.ts";
import type { PcrValues } from "./quote.ts";
import type { Reason } from "./reason.ts";

/** The fields of a catalog entry that a judgement needs. */
export interface CatalogEntry {
  id: string;
  version: string;
  hash: string;
  /** Expected values by PCR number; empty for firmware of devices without a TPM. */
  pcrs: Readonly<Record<string, string>>;
  sbom_components: readonly { name: string; version: string }[];
  known_good: boolean;
}

export interface FirmwareMatch {
  /** Undefined if the firmware is not in the catalog. */
  entry: CatalogEntry | undefined;
  reasons: readonly Reason[];
}

const MAX_NAMED = 5;

/** Returns the firmware that the PCR values prove: the entry with the most PCRs that all match the quoted values. */
export function matchPcrs(pcrs: PcrValues, catalog: readonly CatalogEntry[]): FirmwareMatch {
  const matching = catalog.filter((entry) => {
    const expected = Object.entries(entry.pcrs);
    return expected.length > 0 && expected.every(([index, value]) => pcrs[index] === value.toLowerCase());
  });
  const countPcrs = (entry: CatalogEntry) => Object.keys(entry.pcrs).length;
  // Of two entries with equally many PCRs, the bad one counts.
  const [entry] = matching.toSorted(
    (a, b) => countPcrs(b) - countPcrs(a) || Number(a.known_good) - Number(b.known_good) || (a.id < b.id ? -1 : 1),
  );
  return { entry, reasons: judgeEntry(entry, "the PCR values are") };
}

/** Returns the firmware that a measurement names, with its components and slots. */
export function matchMeasurement(
  { firmware, components, slots }: Measurement,
  catalog: readonly CatalogEntry[],
): FirmwareMatch {
  const entry = catalog.find(({ hash }) => hash === firmware.hash);
  const reasons = [...judgeEntry(entry, `firmware ${firmware.hash} is`)];
  if (entry) reasons.push(...compareComponents(components, entry));
  reasons.push(...judgeSlots(slots, firmware.hash, catalog));
  return { entry, reasons };
}

function judgeEntry(entry: CatalogEntry | undefined, subject: string): Reason[] {
  if (!entry) return [{ code: "firmware_unknown", message: `${subject} not in the firmware catalog` }];
  if (entry.known_good) return [];
  return [
    { code: "firmware_not_good", message: `firmware ${entry.version} is in the catalog but not known to be good` },
  ];
}

function compareComponents(given: Measurement["components"], { sbom_components }: CatalogEntry): Reason[] {
  const write = ({ name, version }: { name: string; version: string }) => `${name} ${version}`;
  const [has, should] = [new Set(given.map(write)), new Set(sbom_components.map(write))];
  const missing = [...should].filter((component) => !has.has(component)).map((component) => `${component} is missing`);
  const added = [...has].filter((component) => !should.has(component)).map((component) => `${component} was added`);
  const differences = [...missing, ...added];
  if (differences.length === 0) return [];
  const named = differences.slice(0, MAX_NAMED).join(", ");
  const rest = differences.length > MAX_NAMED ? ` and ${differences.length - MAX_NAMED} more` : "";
  return [{ code: "component_differs", message: `components differ from the SBOM: ${named}${rest}` }];
}

function judgeSlots(slots: Measurement["slots"], hash: string, catalog: readonly CatalogEntry[]): Reason[] {
  const booted = slots.filter(({ is_booted }) => is_booted);
  // A slot written at the factory instead of by an update has no hash.
  const isOther = booted.some((slot) => slot.hash !== null && slot.hash !== hash);
  if (slots.length > 0 && (booted.length !== 1 || isOther))
    return [{ code: "slot_unknown", message: "the booted slot does not contain the measured firmware" }];
  const unknown = slots.find((slot) => slot.hash !== null && !catalog.some((entry) => entry.hash === slot.hash));
  return unknown
    ? [{ code: "slot_unknown", message: `slot ${unknown.name} contains ${unknown.hash}, which is not in the catalog` }]
    : [];
}
