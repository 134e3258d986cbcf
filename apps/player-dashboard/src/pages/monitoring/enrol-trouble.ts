import type { ApiError } from "../../app/api/api-client.ts";

/** Enrolment errors that the owner can resolve. */
export type EnrolTrouble =
  | "address"
  | "forbidden"
  | "unreachable"
  | "otherName"
  | "fingerprint"
  | "otherAuthority"
  | "code"
  | "clock";
export type EnrolField = "address" | "code" | "authority_fingerprint";

export interface FieldTrouble {
  field: EnrolField;
  trouble: EnrolTrouble;
}

const ADDRESS_CODES: ReadonlyMap<string | undefined, EnrolTrouble> = new Map([
  ["address_malformed", "address"],
  ["other_name", "otherName"],
  ["address_forbidden", "forbidden"],
]);
const DIGITS = 64;

/** The field that was refused and why; undefined when the refusal is about none of them. */
export function findEnrolTrouble({ field, code }: Pick<ApiError, "field" | "code">): FieldTrouble | undefined {
  switch (field ?? "") {
    case "address":
      return { field: "address", trouble: ADDRESS_CODES.get(code) ?? "unreachable" };
    case "authority_fingerprint":
      return {
        field: "authority_fingerprint",
        trouble: code === "fingerprint_malformed" ? "fingerprint" : "otherAuthority",
      };
    case "code":
      return { field: "code", trouble: "code" };
    case "clock":
      return { field: "address", trouble: "clock" };
    default:
      return undefined;
  }
}

/** Errors that the page detects without asking the player. */
export function checkFingerprint(typed: string): boolean {
  const digits = typed.replaceAll(/[\s:]/g, "");
  return digits.length === DIGITS && /^[0-9a-f]+$/i.test(digits);
}
