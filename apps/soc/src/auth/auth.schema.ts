import Type, { type Static } from "typebox";

export const TokenRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
  },
  { additionalProperties: false },
);
export type TokenRequest = Static<typeof TokenRequest>;

export const TokenBody = Type.Object({
  access_token: Type.String(),
  token_type: Type.Enum(["bearer"]),
  expires_in: Type.Integer({ description: "seconds" }),
});
export type TokenBody = Static<typeof TokenBody>;
