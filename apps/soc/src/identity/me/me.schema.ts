import Type, { type Static } from "typebox";

export const ChangePasswordRequest = Type.Object(
  {
    current_password: Type.String({ minLength: 1, maxLength: 1000 }),
    new_password: Type.String({ minLength: 8, maxLength: 1000 }),
  },
  { additionalProperties: false },
);
export type ChangePasswordRequest = Static<typeof ChangePasswordRequest>;

export const PasswordChangedBody = Type.Object({ password_changed: Type.Boolean() });

export const SessionPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
