import Type, { type Static } from "typebox";
import { AttestationBody } from "../webauthn/webauthn.schema.ts";

const Time = Type.String({ format: "date-time" });

export const FactorBody = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum(["totp", "webauthn"]),
    name: Type.String(),
    created_at: Time,
    last_used_at: Type.Union([Time, Type.Null()]),
    is_passkey: Type.Boolean({ description: "signs in without a password, too" }),
    cloned_at: Type.Union([Time, Type.Null()], {
      description: "when its counter went back: a copy of the key exists, and the key is refused",
    }),
  },
  { title: "Factor" },
);
export type FactorBody = Static<typeof FactorBody>;

export const FactorsBody = Type.Object(
  {
    items: Type.Array(FactorBody),
    recovery_codes_left: Type.Integer(),
    is_required: Type.Boolean({ description: "the caller's role must have a factor" }),
  },
  { title: "FactorList" },
);
export type FactorsBody = Static<typeof FactorsBody>;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const CurrentPassword = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1000, description: "for the first factor of a user who has a password" }),
);

export const EnrolRequest = Type.Object(
  { name: Type.Optional(Name), current_password: CurrentPassword },
  { title: "CreateTotpRequest", additionalProperties: false },
);
export type EnrolRequest = Static<typeof EnrolRequest>;

export const KeyOptionsRequest = Type.Object(
  { current_password: CurrentPassword },
  { title: "SecurityKeyOptionsRequest", additionalProperties: false },
);

export const AddKeyRequest = Type.Object(
  { name: Type.Optional(Name), credential: AttestationBody },
  { title: "CreateSecurityKeyRequest", additionalProperties: false },
);

export const RenameRequest = Type.Object({ name: Name }, { title: "RenameFactorRequest", additionalProperties: false });

export const NewTotpBody = Type.Object(
  {
    id: Type.String(),
    secret: Type.String({ description: "in base 32; shown only now" }),
    otpauth_uri: Type.String({ description: "for a QR code; shown only now" }),
    expires_at: Type.String({ format: "date-time", description: "until then it must be confirmed" }),
  },
  { title: "NewTotp" },
);
export type NewTotpBody = Static<typeof NewTotpBody>;

export const FactorPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const ConfirmRequest = Type.Object(
  { code: Type.String({ pattern: "^[0-9]{6}$" }) },
  { title: "ConfirmTotpRequest", additionalProperties: false },
);

const RecoveryCodes = Type.Array(Type.String(), { description: "shown only now; each works once" });

export const ConfirmedBody = Type.Object(
  {
    ...FactorBody.properties,
    recovery_codes: Type.Union([RecoveryCodes, Type.Null()], { description: "with the first factor, else null" }),
  },
  { title: "ConfirmedFactor" },
);
export type ConfirmedBody = Static<typeof ConfirmedBody>;

export const RecoveryCodesBody = Type.Object({ recovery_codes: RecoveryCodes }, { title: "RecoveryCodes" });
export type RecoveryCodesBody = Static<typeof RecoveryCodesBody>;

export const ResetBody = Type.Object(
  { removed: Type.Integer({ description: "how many factors" }) },
  { title: "FactorsReset" },
);
export type ResetBody = Static<typeof ResetBody>;
