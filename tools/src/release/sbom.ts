import { createHash } from "node:crypto";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import type { NamedLicence } from "./named-licences.ts";

const Licence = Type.Object({
  license: Type.Optional(Type.Object({ id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) })),
  expression: Type.Optional(Type.String()),
});
const Component = Type.Object({
  "bom-ref": Type.String(),
  name: Type.String(),
  version: Type.String(),
  purl: Type.String(),
  licenses: Type.Optional(Type.Array(Licence)),
});
const Bom = Type.Object({
  serialNumber: Type.String(),
  metadata: Type.Object({ timestamp: Type.String(), component: Component }),
  components: Type.Array(Component),
});
type Component = Static<typeof Component>;

export interface LicensedPackage {
  name: string;
  version: string;
  licence: string;
  /** Where a person read it; "" if the package says it itself. */
  source: string;
}

export interface SettledBom {
  /** The same for the same sources: npm writes a new number and the time into each. */
  text: string;
  packages: LicensedPackage[];
}

/** Makes the list of `npm sbom` repeatable and complete. Throws for a package without a licence, and for a named licence that is not needed. */
export function settleBom(npmText: string, committedAt: string, named: readonly NamedLicence[]): SettledBom {
  const given: unknown = JSON.parse(npmText);
  if (!Value.Check(Bom, given)) throw new Error("npm sbom: not a CycloneDX document");
  const { serialNumber: _changes, ...bom } = given;
  const used = new Set<NamedLicence>();
  const licensed = bom.components.map((component) => nameLicence(component, named, used));
  const packages = licensed.map(({ row }) => row);
  const without = packages.filter(({ licence }) => licence === "").map(({ name, version }) => `${name}@${version}`);
  if (without.length > 0) throw new Error(`no licence is known of ${without.join(", ")}`);
  const unused = named.filter((each) => !used.has(each)).map(({ name }) => name);
  if (unused.length > 0) throw new Error(`named licences that no package needs: ${unused.join(", ")}`);

  // npm calls the root after its folder.
  const root = { ...bom.metadata.component, name: readName(bom.metadata.component) };
  const settled = {
    ...bom,
    metadata: { ...bom.metadata, timestamp: committedAt, component: root },
    components: licensed.map(({ component }) => component),
  };
  const serialNumber = `urn:uuid:${toUuid(JSON.stringify(settled))}`;
  return { text: `${JSON.stringify({ ...settled, serialNumber }, null, 2)}\n`, packages };
}

function nameLicence(component: Component, named: readonly NamedLicence[], used: Set<NamedLicence>) {
  const name = readName(component);
  const { version } = component;
  const own = (component.licenses ?? [])
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "")
    .filter((text) => text !== "" && !text.startsWith("SEE LICENSE"))
    .join(" AND ");
  if (own !== "") return { component, row: { name, version, licence: own, source: "" } };
  const found = named.find((each) => matches(each.name, name));
  if (!found) return { component, row: { name, version, licence: "", source: "" } };
  used.add(found);
  const { licence, source } = found;
  return { component: { ...component, licenses: [{ expression: licence }] }, row: { name, version, licence, source } };
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** The name of the package: npm gives a workspace the name of its folder. */
function readName({ "bom-ref": reference }: Component): string {
  return reference.slice(0, reference.lastIndexOf("@"));
}

/** A version 8 UUID (RFC 9562) from a digest. */
function toUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

export function formatLicences(packages: readonly LicensedPackage[]): string {
  const rows = packages.map(
    ({ name, version, licence, source }) => `${name} ${version}\t${licence}${source && `\t(${source})`}`,
  );
  return `${[...new Set(rows)].toSorted().join("\n")}\n`;
}
