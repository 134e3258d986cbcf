import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { OtaBody, OtaResult, PullRequest } from "./ota.schema.ts";
import { type OtaService, parseContentLength } from "./ota.service.ts";

export function otaRoutes(ota: OtaService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/ota/status",
      {
        config: { access: "none", budget: "status" },
        schema: {
          operationId: "getUpdateStatus",
          summary: "Get the firmware update status",
          response: { 200: OtaBody },
        },
      },
      async () => ota.status(),
    );
    app.post(
      "/ota/upload",
      {
        config: { access: "token", budget: "upload", streamsBody: true },
        schema: {
          operationId: "uploadUpdate",
          summary: "Upload and install a firmware update",
          description: "The body is the image, of any content type.",
          response: { 200: OtaResult },
        },
      },
      async ({ raw, headers }) => ({
        success: true,
        ...(await ota.upload(raw, parseContentLength(headers["content-length"]))),
      }),
    );
    app.post(
      "/ota/pull",
      {
        config: { access: "token", budget: "pull" },
        schema: {
          operationId: "pullUpdate",
          summary: "Download and install a firmware update",
          body: PullRequest,
          response: { 200: OtaResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await ota.pull(body.url)) }),
    );
  };
}
