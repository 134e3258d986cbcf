import { type Attribute, hasAttribute, type PublicArea } from "./tpm/public-area.ts";

interface Requirements {
  set: readonly Attribute[];
  clear: readonly Attribute[];
}

// A key that the TPM generated and never exports.
const BOUND = ["fixedTPM", "fixedParent", "sensitiveDataOrigin"] as const;

/** An unrestricted key signs any bytes, including a forged quote. */
const ATTESTATION: Requirements = { set: [...BOUND, "restricted", "sign"], clear: ["decrypt", "x509sign"] };

const ENDORSEMENT: Requirements = { set: [...BOUND, "restricted", "decrypt"], clear: ["sign", "x509sign"] };

/** Returns why the key cannot attest; undefined if it can. */
export function findAttestationKeyFault(area: PublicArea): string | undefined {
  const fault = findAttributeFault(area, ATTESTATION);
  if (fault) return `the attestation key ${fault}`;
  if (!area.scheme) return "the attestation key must have a signing scheme";
  return area.symmetric ? "the attestation key must not be a storage key" : undefined;
}

/** Returns why no credential can be made for the key; undefined if it can. */
export function findEndorsementKeyFault(area: PublicArea): string | undefined {
  const fault = findAttributeFault(area, ENDORSEMENT);
  if (fault) return `the endorsement key ${fault}`;
  return area.symmetric ? undefined : "the endorsement key must be a storage key";
}

function findAttributeFault(area: PublicArea, { set, clear }: Requirements): string | undefined {
  const missing = set.find((attribute) => !hasAttribute(area, attribute));
  if (missing) return `must be ${missing}`;
  const forbidden = clear.find((attribute) => hasAttribute(area, attribute));
  return forbidden && `must not be ${forbidden}`;
}
