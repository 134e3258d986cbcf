import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  CancelUploadResult,
  CreateUploadRequest,
  CreateUploadResult,
  PieceQuery,
  PieceResult,
  UploadBody,
  UploadParams,
  UploadsBody,
} from "./uploads.schema.ts";
import type { UploadsService } from "./uploads.service.ts";

const read = { access: "token", budget: "read" } as const;
const change = { access: "token", budget: "card_upload" } as const;

export function uploadsRoutes(uploads: UploadsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/uploads",
      { config: read, schema: { operationId: "listUploads", summary: "List uploads", response: { 200: UploadsBody } } },
      async () => uploads.list(),
    );
    app.post(
      "/uploads",
      {
        config: change,
        schema: {
          operationId: "createUpload",
          summary: "Create or continue an upload",
          description: "A `recitation` needs `reciter` and `surah`, an `adhan` needs `name`.",
          body: CreateUploadRequest,
          response: { 200: CreateUploadResult },
        },
      },
      async ({ body }) => ({ success: true, ...(await uploads.create(body)) }),
    );
    app.get(
      "/uploads/:id",
      {
        config: read,
        schema: {
          operationId: "getUpload",
          summary: "Get an upload",
          params: UploadParams,
          response: { 200: UploadBody },
        },
      },
      async ({ params }) => uploads.get(params.id),
    );
    app.post(
      "/uploads/:id",
      {
        config: { ...change, streamsBody: true },
        schema: {
          operationId: "uploadPiece",
          summary: "Upload a piece of a file",
          description: "The body is the piece, to 8 MiB. `sha256` is that of the piece.",
          params: UploadParams,
          querystring: PieceQuery,
          response: { 200: PieceResult },
        },
      },
      async ({ params, query, raw, headers }) => {
        const sizeBytes = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
        return { success: true, ...(await uploads.send(params.id, query, raw, sizeBytes)) };
      },
    );
    app.delete(
      "/uploads/:id",
      {
        config: change,
        schema: {
          operationId: "deleteUpload",
          summary: "Delete an upload",
          description: "Removes what has arrived.",
          params: UploadParams,
          response: { 200: CancelUploadResult },
        },
      },
      async ({ params }) => {
        await uploads.cancel(params.id);
        return { success: true };
      },
    );
  };
}
