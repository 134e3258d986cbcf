import Type, { type Static } from "typebox";
import { Id, Time } from "../../foundation/schema/fields.schema.ts";
import { SiteId } from "../../identity/sites/site-fields.schema.ts";

const closed = { additionalProperties: false } as const;
const Name = Type.String({ minLength: 1, maxLength: 200 });
const DeviceType = Type.String({ pattern: "^[a-z][a-z0-9_-]{0,49}$" });

/** A new device needs name and type; `device_id` issues a new certificate to a known device instead. */
export const CreateCodeRequest = Type.Object(
  {
    name: Type.Optional(Name),
    type: Type.Optional(DeviceType),
    site: Type.Optional(Type.Union([SiteId, Type.Null()])),
    device_id: Type.Optional(Id),
  },
  { title: "CreateEnrolmentCodeRequest", ...closed },
);
export type CreateCodeRequest = Static<typeof CreateCodeRequest>;

/** In dry_run there is no code, because none was stored. */
export const EnrolmentBody = Type.Object(
  {
    device_id: Type.Union([Type.String(), Type.Null()]),
    name: Type.String(),
    type: Type.String(),
    site: Type.Union([Type.String(), Type.Null()]),
    created_by: Type.String(),
    created_at: Time,
    expires_at: Time,
    authority_fingerprint: Type.String({
      description:
        "the SHA-256 digest of the authority's certificate, with which the device authenticates the platform",
    }),
  },
  { title: "EnrolmentPreview" },
);
export const NewCodeBody = Type.Object(
  { code: Type.String(), ...EnrolmentBody.properties },
  { title: "EnrolmentCode" },
);
export type NewCodeBody = Static<typeof NewCodeBody>;

const Csr = Type.String({ minLength: 1, maxLength: 4096 });
export const EnrolRequest = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 100 }), csr: Csr },
  { title: "EnrolRequest", ...closed },
);
export type EnrolRequest = Static<typeof EnrolRequest>;
export const RenewRequest = Type.Object({ csr: Csr }, closed);

export const IssuedBody = Type.Object({
  device_id: Type.String(),
  certificate: Type.String(),
  authority: Type.String(),
  not_after: Time,
  broker: Type.Union([Type.String(), Type.Null()], {
    description: "the broker for attestation requests, mqtts://host:port",
  }),
});
export type IssuedBody = Static<typeof IssuedBody>;
