import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Bodies } from "../../logs/module.ts";
import {
  BulkIocsRequest,
  CheckedIocsBody,
  CheckIocsRequest,
  CreateIocRequest,
  ExportIocsQuery,
  ImportedIocsBody,
  ImportIocsQuery,
  IocBody,
  IocDetailBody,
  IocHitBody,
  IocParams,
  ListIocsQuery,
  UpdateIocRequest,
} from "./iocs.schema.ts";
import type { IocsService } from "./iocs.service.ts";
import type { IocsExchange } from "./iocs-exchange.ts";

export interface IocsRoutesDeps {
  iocs: IocsService;
  exchange: IocsExchange;
  /** Import bodies are larger than others. */
  bodies: Bodies;
  changes: ChangesService;
}

const reading = { needs: ["iocs:read"], byKey: true } as const;
const checking = { ...reading, effect: "none" } as const;
const change = { needs: ["iocs:write"], effect: "change", byKey: true } as const;
const Imported = Type.Union([ImportedIocsBody, PreviewOf(ImportedIocsBody)]);

export function iocsRoutes({ iocs, exchange, bodies, changes }: IocsRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/iocs",
      {
        config: reading,
        schema: {
          operationId: "listIocs",
          summary: "List IOCs",
          querystring: ListIocsQuery,
          response: { 200: PageOf(IocBody) },
        },
      },
      async ({ query }) => iocs.list(query),
    );

    app.post(
      "/iocs",
      {
        config: change,
        schema: {
          operationId: "createIoc",
          summary: "Create an IOC",
          body: CreateIocRequest,
          response: { 200: Type.Union([IocBody, PreviewOf(IocBody)]), 201: IocBody },
        },
      },
      async (request, reply) => {
        const { dry_run, result } = await changes.run(request, (tx, caller) => iocs.create(tx, caller, request.body));
        return answer(reply, result.isNew ? 201 : 200, { dry_run, result: result.ioc });
      },
    );

    app.post(
      "/iocs/bulk",
      {
        config: change,
        schema: {
          operationId: "createIocs",
          summary: "Create many IOCs",
          body: BulkIocsRequest,
          response: { 200: Imported },
        },
      },
      async (request, reply) => {
        const { body } = request;
        return answer(reply, 200, await changes.run(request, (tx, caller) => iocs.createMany(tx, caller, body)));
      },
    );

    app.post(
      "/iocs/check",
      {
        config: checking,
        schema: {
          operationId: "checkIocs",
          summary: "Check values against known IOCs",
          body: CheckIocsRequest,
          response: { 200: CheckedIocsBody },
        },
      },
      async ({ body }) => iocs.check(body),
    );

    app.post(
      "/iocs/import",
      {
        config: { ...change, streamsBody: true },
        schema: {
          operationId: "importIocs",
          summary: "Import IOCs",
          querystring: ImportIocsQuery,
          response: { 200: Imported },
        },
      },
      async (request, reply) => {
        const { query, raw } = request;
        const imported = await bodies.use(raw, (body) =>
          changes.run(request, (tx, caller) => exchange.import(tx, caller, query, body.toString("utf8"))),
        );
        return answer(reply, 200, imported);
      },
    );

    app.get(
      "/iocs/export",
      {
        config: { ...reading, exports: "ioc.exported" },
        schema: { operationId: "exportIocs", summary: "Export IOCs", querystring: ExportIocsQuery },
      },
      async ({ query }, reply) => {
        const document = await exchange.export(query);
        return reply
          .type(query.format === "misp" ? "application/json" : "application/stix+json;version=2.1")
          .header("content-disposition", `attachment; filename="iocs.${query.format ?? "stix"}.json"`)
          .send(Readable.from(document));
      },
    );

    app.get(
      "/iocs/:id",
      {
        config: reading,
        schema: { operationId: "getIoc", summary: "Get an IOC", params: IocParams, response: { 200: IocDetailBody } },
      },
      async ({ params }) => iocs.get(params.id),
    );

    app.patch(
      "/iocs/:id",
      {
        config: change,
        schema: {
          operationId: "updateIoc",
          summary: "Update an IOC",
          params: IocParams,
          body: UpdateIocRequest,
          response: { 200: Type.Union([IocDetailBody, PreviewOf(IocDetailBody)]) },
        },
      },
      async (request, reply) => {
        const { body, params } = request;
        return answer(reply, 200, await changes.run(request, (tx, caller) => iocs.update(tx, caller, params.id, body)));
      },
    );

    app.delete(
      "/iocs/:id",
      {
        config: change,
        schema: {
          operationId: "deleteIoc",
          summary: "Delete an IOC",
          params: IocParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        return answer(reply, 200, await changes.run(request, (tx, caller) => iocs.delete(tx, caller, id)));
      },
    );

    app.get(
      "/iocs/:id/hits",
      {
        config: reading,
        schema: {
          operationId: "listIocHits",
          summary: "List the hits of an IOC",
          params: IocParams,
          querystring: PageQuery,
          response: { 200: PageOf(IocHitBody) },
        },
      },
      async ({ params, query }) => iocs.listHits(params.id, query),
    );
  };
}
