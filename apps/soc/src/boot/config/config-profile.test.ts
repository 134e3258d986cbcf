import { describe, expect, it } from "vitest";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { readConfig } from "./config.ts";
import { formatProtectionsOff } from "./config-profile.ts";

const read = (environment: Record<string, string>) => readConfig(environment);

describe("SOC_PROFILE", () => {
  it("leaves every protection off by default, and names each with its variable", () => {
    expect(formatProtectionsOff(read({}))).toBe(
      "off: four eyes (SOC_FOUR_EYES), step-up (SOC_STEP_UP), second factor of all roles (SOC_SECOND_FACTOR_ROLES), passwords of 15 characters (SOC_PASSWORD_LENGTH)",
    );
  });

  it("turns all of them on with strict", () => {
    const config = read({ SOC_PROFILE: "strict" });
    expect(config.response.fourEyes).toBe(true);
    expect(config.signIn).toMatchObject({ isStepUpOn: true, secondFactorRoles: ROLES, minPasswordLength: 15 });
    expect(formatProtectionsOff(config)).toBeUndefined();
  });

  it.each([
    [{ SOC_FOUR_EYES: "off" }, "off: four eyes (SOC_FOUR_EYES)"],
    [{ SOC_STEP_UP: "off" }, "off: step-up (SOC_STEP_UP)"],
    [{ SOC_SECOND_FACTOR_ROLES: "admin" }, "off: second factor of all roles (SOC_SECOND_FACTOR_ROLES)"],
    [{ SOC_PASSWORD_LENGTH: "14" }, "off: passwords of 15 characters (SOC_PASSWORD_LENGTH)"],
  ])("shows that %j overrides the profile", (variables, text) => {
    expect(formatProtectionsOff(read({ SOC_PROFILE: "strict", ...variables }))).toBe(text);
  });

  it("ignores an empty variable, which is no override", () => {
    expect(formatProtectionsOff(read({ SOC_PROFILE: "strict", SOC_SECOND_FACTOR_ROLES: "" }))).toBeUndefined();
  });

  it("refuses another profile, and a first password that is too short", () => {
    expect(() => read({ SOC_PROFILE: "bank" })).toThrow("SOC_PROFILE: must be");
    const short = { SOC_PROFILE: "strict", SOC_ADMIN_PASSWORD: "fourteen chars" };
    expect(() => read(short)).toThrow("SOC_ADMIN_PASSWORD: must have at least 15 characters");
  });
});
