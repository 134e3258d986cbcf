import Type, { type Static } from "typebox";
import { TextOrNull } from "../../foundation/schema/fields.schema.ts";
import { AssertionBody } from "../webauthn/webauthn.schema.ts";

const SecondFactorCode = Type.String({
  minLength: 6,
  maxLength: 50,
  description: "the second factor: a code of an authenticator app, or a recovery code",
});

const SignedChallenge = Type.Object(AssertionBody.properties, {
  title: "SignedChallenge",
  additionalProperties: false,
  description: "the second factor: a challenge that a security key of the user has signed, as the browser writes it",
});

export const TokenRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    code: Type.Optional(SecondFactorCode),
    webauthn: Type.Optional(SignedChallenge),
  },
  { title: "TokenRequest", additionalProperties: false },
);
export type TokenRequest = Static<typeof TokenRequest>;

export const TokenBody = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Enum(["bearer"]),
    expires_in: Type.Integer({ description: "seconds" }),
  },
  { title: "Token" },
);
export type TokenBody = Static<typeof TokenBody>;

/** Exactly one of the two. */
export const StepUpRequest = Type.Object(
  { code: Type.Optional(SecondFactorCode), webauthn: Type.Optional(SignedChallenge) },
  { title: "StepUpRequest", additionalProperties: false },
);

/** The user whose security key signs: the same fields as for a token. */
export const FactorOptionsRequest = Type.Object(
  { username: TokenRequest.properties.username, password: TokenRequest.properties.password },
  { title: "FactorOptionsRequest", additionalProperties: false },
);
export type FactorOptionsRequest = Static<typeof FactorOptionsRequest>;

export const PasskeyRequest = Type.Object(
  { credential: AssertionBody },
  { title: "PasskeyRequest", additionalProperties: false },
);

export const SteppedUpBody = Type.Object(
  {
    fresh_until: Type.String({ format: "date-time" }),
    token: Type.Union([TokenBody, Type.Null()], { description: "for a caller without a session" }),
  },
  { title: "SteppedUp" },
);
export type SteppedUpBody = Static<typeof SteppedUpBody>;

export const MethodsBody = Type.Object(
  {
    password: Type.Object({
      is_break_glass_only: Type.Boolean({ description: "only for the administrator of last resort" }),
    }),
    providers: Type.Array(
      Type.Object({
        id: Type.String(),
        label: Type.String(),
        start_url: Type.String({ description: "a browser goes there; `?next=/path` says where it returns to" }),
      }),
    ),
    passkey: Type.Object({
      is_available: Type.Boolean({ description: "a browser signs in by `/auth/passkey`, without a password" }),
    }),
    factors: Type.Array(Type.Enum(["totp", "recovery_code", "webauthn"]), {
      description: "the second factors that exist here",
    }),
  },
  { title: "SignInMethods" },
);
export type MethodsBody = Static<typeof MethodsBody>;

export const LogoutBody = Type.Object({ logged_out: Type.Boolean() }, { title: "LogoutResult" });
export type LogoutBody = Static<typeof LogoutBody>;

/** RFC 7517 and 8037: public keys only. */
export const JwksBody = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Enum(["OKP"]),
        crv: Type.Enum(["Ed25519"]),
        alg: Type.Enum(["EdDSA"]),
        use: Type.Enum(["sig"]),
        kid: Type.String(),
        x: Type.String(),
      }),
    ),
  },
  { title: "Jwks" },
);
export type JwksBody = Static<typeof JwksBody>;

export const SessionBody = Type.Object(
  {
    id: Type.String(),
    created_at: Type.String({ format: "date-time" }),
    last_used_at: Type.String({ format: "date-time" }),
    user_agent: TextOrNull,
    device: Type.String({
      description: "the browser and the system that the user agent claims, such as Firefox on Windows",
    }),
    device_name: Type.Union([Type.String(), Type.Null()], { description: "as the user names the device" }),
    address: Type.Union([Type.String(), Type.Null()], { description: "of the sign-in; an IPv6 network of 48 bits" }),
    is_current: Type.Boolean({ description: "the session of this request" }),
  },
  { title: "Session" },
);
export type SessionBody = Static<typeof SessionBody>;

export const NameDeviceRequest = Type.Object(
  { device_name: Type.Union([Type.String({ minLength: 1, maxLength: 100, pattern: "\\S" }), Type.Null()]) },
  { title: "NameDeviceRequest", additionalProperties: false },
);

export const SessionsBody = Type.Object({ items: Type.Array(SessionBody) }, { title: "Sessions" });

export const SessionPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const SessionsEndedBody = Type.Object(
  { ended: Type.Integer({ description: "how many sessions have ended" }) },
  { title: "SessionsEnded" },
);
