import Type, { type Static } from "typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SiteId } from "../../identity/sites/site-fields.schema.ts";

/** `revoking`: revoked in the records, but the broker has not been verified to refuse the device. */
export const STORED_STATUSES = ["active", "quarantined", "revoking", "revoked"] as const;
export type StoredStatus = (typeof STORED_STATUSES)[number];
const DEVICE_STATUSES = [...STORED_STATUSES, "offline"] as const;
export const VERDICTS = ["trusted", "untrusted", "stale", "failed"] as const;
export type Verdict = (typeof VERDICTS)[number];
const ATTESTATION_KINDS = ["tpm", "software"] as const;

const word = Type.String({ minLength: 1, maxLength: 200 });
const VerdictOrNull = Type.Union([Type.Enum([...VERDICTS]), Type.Null()]);

export const DevicePath = Type.Object({ id: Type.String() });

export const ListDevicesQuery = Type.Object({
  ...PageQuery.properties,
  site: Type.Optional(SiteId),
  type: Type.Optional(word),
  status: Type.Optional(Type.Enum([...DEVICE_STATUSES])),
  verdict: Type.Optional(Type.Enum([...VERDICTS])),
  q: Type.Optional(word),
});
export type ListDevicesQuery = Static<typeof ListDevicesQuery>;

export const DeviceBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    site: TextOrNull,
    status: Type.Enum([...DEVICE_STATUSES]),
    certificate: Type.Union([
      Type.Object({
        serial: Type.String(),
        fingerprint: Type.String(),
        not_after: Time,
        status: Type.Enum(["valid", "expired", "revoked"]),
      }),
      Type.Null(),
    ]),
    firmware: Type.Object({ version: TextOrNull, hash: TextOrNull, known: Type.Boolean() }),
    attestation: Type.Object({ verdict: VerdictOrNull, at: TimeOrNull }),
    last_seen: Time,
  },
  { title: "Device" },
);
export type DeviceBody = Static<typeof DeviceBody>;
export const DevicesPage = PageOf(DeviceBody);

export const ListAttestationsQuery = Type.Object({
  ...PageQuery.properties,
  device_id: Type.Optional(Id),
  verdict: Type.Optional(Type.Enum([...VERDICTS])),
  kind: Type.Optional(Type.Enum([...ATTESTATION_KINDS])),
});
export type ListAttestationsQuery = Static<typeof ListAttestationsQuery>;

export const AttestationBody = Type.Object(
  {
    id: Type.String(),
    device_id: Type.String(),
    kind: Type.Enum([...ATTESTATION_KINDS]),
    verdict: Type.Enum([...VERDICTS]),
    reason: TextOrNull,
    firmware_hash: TextOrNull,
    at: Time,
  },
  { title: "Attestation" },
);
export type AttestationBody = Static<typeof AttestationBody>;
export const AttestationsPage = PageOf(AttestationBody);

export const ListFirmwareQuery = Type.Object({
  ...PageQuery.properties,
  vendor: Type.Optional(word),
  product: Type.Optional(word),
  hash: Type.Optional(word),
  known_good: Type.Optional(Type.Boolean()),
});
export type ListFirmwareQuery = Static<typeof ListFirmwareQuery>;

export const FirmwareBody = Type.Object(
  {
    id: Type.String(),
    vendor: Type.String(),
    product: Type.String(),
    version: Type.String(),
    hash: Type.String(),
    pcrs: Type.Record(Type.String(), Type.String()),
    sbom_components: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
    known_good: Type.Boolean(),
    devices: Type.Integer({ description: "the number of devices with this firmware" }),
    approval_id: Type.Optional(
      Type.String({ description: "with four eyes: becomes known good when another person decides this approval" }),
    ),
  },
  { title: "Firmware" },
);
export type FirmwareBody = Static<typeof FirmwareBody>;
export const FirmwarePage = PageOf(FirmwareBody);

/** The answer under four eyes: the revocation needs the approval of another person and has not been carried out. */
export const RevocationPendingBody = Type.Object(
  {
    status: Type.Literal("pending_approval"),
    device_id: Type.String(),
    approval_id: Type.String(),
    requires_approval: Type.Boolean(),
    message: Type.String(),
  },
  { title: "PendingRevocation" },
);
export type RevocationPendingBody = Static<typeof RevocationPendingBody>;
export const RevocationQuery = Type.Object({
  approval_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
