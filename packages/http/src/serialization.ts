import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyInstance } from "fastify";

type Serialize = (body: unknown) => string;

const compile = SerializerSelector()({}, {});
const compiled = new WeakMap<object, Serialize>();

/**
 * Fastify's own serializers, compiled with the first answer, and once for the process: a second server with the same schemas
 * starts at once.
 */
export function serializeBySchema(app: FastifyInstance): void {
  app.setSerializerCompiler<object>(({ schema, method, url, httpStatus = "" }) => {
    let serialize: Serialize | undefined;
    return (body: unknown) => {
      if (!serialize) {
        serialize = compiled.get(schema) ?? compile({ schema, method, url, httpStatus });
        compiled.set(schema, serialize);
      }
      return serialize(body);
    };
  });
}
