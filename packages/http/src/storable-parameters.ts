import { invalidField } from "@kit/problem";
import type { FastifyInstance } from "fastify";

const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Refuses U+0000 and lone surrogates in every parameter of a path or a query: no database stores them. After the hooks
 * that authenticate, so that an unknown caller is refused first.
 */
export function refuseUnstorableParameters(app: FastifyInstance): void {
  app.addHook("preValidation", (request, _reply, done) => {
    const field = findUnstorable(request.params) ?? findUnstorable(request.query);
    if (field === undefined) return done();
    const name = field === "*" || UNSTORABLE.test(field) ? "path" : field;
    done(invalidField(name, "contains a character that cannot be stored"));
  });
}

function findUnstorable(parameters: unknown): string | undefined {
  if (typeof parameters !== "object" || parameters === null) return undefined;
  for (const [name, value] of Object.entries(parameters)) {
    if (UNSTORABLE.test(name) || [value].flat().some((text) => typeof text === "string" && UNSTORABLE.test(text)))
      return name;
  }
  return undefined;
}
