import Type, { type Static } from "typebox";

export const ProviderPath = Type.Object({ provider: Type.String({ minLength: 1, maxLength: 50 }) });

export const StartQuery = Type.Object(
  {
    next: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1000, description: "the path of this site to show after the sign-in" }),
    ),
  },
  { additionalProperties: false },
);

const Parameter = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())]));

/**
 * RFC 6749, sections 4.1.2 and 4.1.2.1, and RFC 9207. A provider may add others, and the client checks all of them.
 */
export const CallbackQuery = Type.Object(
  { code: Parameter, state: Parameter, iss: Parameter, error: Parameter, error_description: Parameter },
  { additionalProperties: true },
);

/** OpenID Connect Back-Channel Logout 1.0, section 2.5: other parameters are ignored. */
export const LogoutTokenRequest = Type.Object(
  { logout_token: Type.String({ minLength: 1, maxLength: 16_384 }) },
  { title: "LogoutTokenRequest", additionalProperties: true },
);

export const Page = Type.String({ description: "a page of HTML that leads on" });

export const ProviderLogoutBody = Type.Object(
  {
    logged_out: Type.Boolean(),
    end_session_url: Type.Union([Type.String(), Type.Null()], {
      description: "where the browser ends the session at the provider; null when there is no such place",
    }),
  },
  { title: "ProviderLogout" },
);
export type ProviderLogoutBody = Static<typeof ProviderLogoutBody>;
