import Type from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";

type Environment = Record<string, string | undefined>;

export const PROFILE_VARIABLES = { SOC_PROFILE: Type.Enum(["standard", "strict"], { default: "standard" }) };

export const SHORT_PASSWORD = 8;
const LONG_PASSWORD = 15;

/** What `SOC_PROFILE=strict` sets, unless the variable itself is set. */
const STRICT: Readonly<Record<string, string>> = {
  SOC_FOUR_EYES: "on",
  SOC_STEP_UP: "on",
  SOC_SECOND_FACTOR_ROLES: ROLES.join(","),
  SOC_PASSWORD_LENGTH: String(LONG_PASSWORD),
};

/** Adds the values of the profile. A variable that is set keeps its value, which `listProtections` shows. */
export function applyProfile(environment: Environment): Environment {
  if (environment.SOC_PROFILE !== "strict") return environment;
  const stated = Object.entries(environment).filter(([, value]) => value !== undefined && value !== "");
  return { ...STRICT, ...Object.fromEntries(stated) };
}

export interface Protection {
  variable: string;
  text: string;
  isOn: boolean;
}

interface Protected {
  response: { fourEyes: boolean };
  signIn: {
    isStepUpOn?: boolean;
    secondFactorRoles?: readonly string[];
    minPasswordLength?: number;
  };
}

/** Lists the protections of the strict profile, whatever the profile. */
function listProtections({ response, signIn }: Protected): Protection[] {
  const { isStepUpOn = false, secondFactorRoles = [], minPasswordLength = SHORT_PASSWORD } = signIn;
  return [
    { variable: "SOC_FOUR_EYES", text: "four eyes", isOn: response.fourEyes },
    { variable: "SOC_STEP_UP", text: "step-up", isOn: isStepUpOn },
    {
      variable: "SOC_SECOND_FACTOR_ROLES",
      text: "second factor of all roles",
      isOn: ROLES.every((role) => secondFactorRoles.includes(role)),
    },
    {
      variable: "SOC_PASSWORD_LENGTH",
      text: `passwords of ${LONG_PASSWORD} characters`,
      isOn: minPasswordLength >= LONG_PASSWORD,
    },
  ];
}

/** Names the protections that are off, with their variables; undefined if all are on. */
export function formatProtectionsOff(config: Protected): string | undefined {
  const off = listProtections(config).filter(({ isOn }) => !isOn);
  return off.length === 0 ? undefined : `off: ${off.map(({ text, variable }) => `${text} (${variable})`).join(", ")}`;
}
