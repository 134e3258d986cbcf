import Type, { type Static, type TProperties } from "typebox";

// Web Authentication Level 3, sections 5.4, 5.5 and 5.1: the JSON that browsers read and write.

const Base64Url = (maxLength: number) => Type.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength });
const CredentialId = Base64Url(1400);

/** Browsers send more fields than are used here; the rest is dropped. */
const Dropping = { additionalProperties: false } as const;

/** The output of `PublicKeyCredential.toJSON()`. */
const buildCredential = <Response extends TProperties>(response: Response, title: string) =>
  Type.Object(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: Type.Enum(["public-key"]),
      response: Type.Object(response, { title: `${title}Response`, ...Dropping }),
      clientExtensionResults: Type.Optional(
        Type.Object(
          { credProps: Type.Optional(Type.Object({ rk: Type.Optional(Type.Boolean()) }, Dropping)) },
          Dropping,
        ),
      ),
    },
    { title, ...Dropping },
  );

export const AssertionBody = buildCredential(
  {
    clientDataJSON: Base64Url(10_000),
    authenticatorData: Base64Url(10_000),
    signature: Base64Url(10_000),
    userHandle: Type.Optional(Type.Union([Base64Url(100), Type.Null()])),
  },
  "Assertion",
);
export type AssertionBody = Static<typeof AssertionBody>;

export const AttestationBody = buildCredential(
  {
    clientDataJSON: Base64Url(10_000),
    attestationObject: Base64Url(100_000),
    transports: Type.Optional(Type.Array(Type.String({ pattern: "^[a-z-]+$", maxLength: 20 }), { maxItems: 10 })),
  },
  "KeyAttestation",
);
export type AttestationBody = Static<typeof AttestationBody>;

const Descriptors = Type.Array(
  Type.Object(
    { id: Type.String(), type: Type.Enum(["public-key"]), transports: Type.Array(Type.String()) },
    { title: "CredentialDescriptor" },
  ),
);

/** The options for `navigator.credentials.get`. */
export const RequestOptionsBody = Type.Object(
  {
    challenge: Type.String(),
    timeout: Type.Integer({ description: "milliseconds" }),
    rpId: Type.String(),
    allowCredentials: Descriptors,
    userVerification: Type.Enum(["required", "discouraged"]),
  },
  { title: "RequestOptions" },
);
export type RequestOptionsBody = Static<typeof RequestOptionsBody>;

/** The options for `navigator.credentials.create`. */
export const CreationOptionsBody = Type.Object(
  {
    challenge: Type.String(),
    timeout: Type.Integer({ description: "milliseconds" }),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Enum(["public-key"]), alg: Type.Integer() })),
    excludeCredentials: Descriptors,
    authenticatorSelection: Type.Object({
      residentKey: Type.Enum(["preferred"]),
      userVerification: Type.Enum(["preferred"]),
    }),
    attestation: Type.Enum(["none"]),
    extensions: Type.Object({ credProps: Type.Boolean() }),
  },
  { title: "CreationOptions" },
);
export type CreationOptionsBody = Static<typeof CreationOptionsBody>;
