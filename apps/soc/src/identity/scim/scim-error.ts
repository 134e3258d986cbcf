import { isFields, parseJson } from "./scim-values.ts";

const ERROR_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:Error";

/** Formats a refusal of the platform according to RFC 7644, section 3.12. */
export function toScimError(status: number, payload: unknown, code: unknown) {
  const body = typeof payload === "string" ? parseJson(payload) : undefined;
  const detail = isFields(body) && typeof body.detail === "string" ? body.detail : "internal error";
  const scimType = findType(status, code);
  return { schemas: [ERROR_SCHEMA], status: String(status), ...(scimType && { scimType }), detail };
}

/** Only 400 and 409 have a type. */
function findType(status: number, code: unknown): string | undefined {
  const named =
    typeof code === "string" ? code.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : "";
  if (status === 409 && named === "uniqueness") return named;
  return status === 400 ? named || "invalidSyntax" : undefined;
}
