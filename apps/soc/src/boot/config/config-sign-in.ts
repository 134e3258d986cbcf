import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { SignInVariables } from "../files/sign-in-files.ts";
import { SHORT_PASSWORD } from "./config-profile.ts";

export const SIGN_IN_VARIABLES = {
  SOC_OIDC_PROVIDERS: Type.Optional(Type.String({ minLength: 1 })),
  SOC_LOCAL_SIGN_IN: Type.Enum(["on", "break-glass"], { default: "on" }),
  SOC_BREAK_GLASS_USER: Type.String({ default: "admin", minLength: 1, maxLength: 100 }),
  SOC_SECOND_FACTOR_ROLES: Type.String({ default: "", maxLength: 1000 }),
  SOC_PASSWORD_LENGTH: Type.Integer({ minimum: SHORT_PASSWORD, maximum: 100, default: SHORT_PASSWORD }),
  SOC_STEP_UP: Type.Enum(["on", "off"], { default: "off" }),
  SOC_PUBLIC_URL: Type.Optional(Type.String({ pattern: "^https?://[^/?#@\\s]+/?$" })),
};
const Variables = Type.Object(SIGN_IN_VARIABLES);

export function readSignIn(read: Static<typeof Variables>): SignInVariables {
  return {
    providersFile: read.SOC_OIDC_PROVIDERS,
    isLocalOff: read.SOC_LOCAL_SIGN_IN === "break-glass",
    breakGlassUser: read.SOC_BREAK_GLASS_USER,
    publicUrl: read.SOC_PUBLIC_URL,
    secondFactorRoles: readRoles(read.SOC_SECOND_FACTOR_ROLES),
    minPasswordLength: read.SOC_PASSWORD_LENGTH,
    isStepUpOn: read.SOC_STEP_UP === "on",
  };
}

function readRoles(listed: string): Role[] {
  const names = listed.split(",").map((name) => name.trim());
  return names.filter(Boolean).map((name) => {
    const role = ROLES.find((each) => each === name);
    if (!role) throw invalidField("SOC_SECOND_FACTOR_ROLES", `'${name}' is not one of ${ROLES.join(", ")}`);
    return role;
  });
}
