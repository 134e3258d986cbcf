import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { notFound } from "@kit/problem";
import type { CertificateService } from "./certificate.service.ts";

/** The root certificate of the device's own authority, in DER, a format that every phone can read. */
export function certificateRoutes(
  certificate: Pick<CertificateService, "handOutAuthority"> | undefined,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/ca.crt",
      {
        config: { access: "none", budget: "static" },
        schema: {
          operationId: "getCaCertificate",
          summary: "Get the root certificate of the device",
          description:
            "The root of the device's own authority in DER, so that a phone can trust it. 404 with a certificate of the owner.",
        },
      },
      async (_request, reply) => {
        const authority = certificate?.handOutAuthority();
        if (!authority) throw notFound("path", "/ca.crt");
        return reply.type("application/x-x509-ca-cert").send(authority);
      },
    );
  };
}
