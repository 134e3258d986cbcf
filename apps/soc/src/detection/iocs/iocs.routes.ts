import { Readable } from "node:stream";
import { Deleted, PageOf, PageQuery, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
const importing = { ...change, streamsBody: true } as const;
const Imported = WithPreviewOf(ImportedIocsBody);

export function iocsRoutes({ iocs, exchange, bodies, changes }: IocsRoutesDeps): Routes {
  return async (app) => {
    app.get(
      "/iocs",
      operation("listIocs", "List IOCs", reading, { querystring: ListIocsQuery, response: { 200: PageOf(IocBody) } }),
      async ({ query }) => iocs.list(query),
    );

    app.post(
      "/iocs",
      operation("createIoc", "Create an IOC", change, {
        description:
          "Only `value` is required. `force` accepts values of a warning list. Answers 200 with the merged IOC when it is known.",
        body: CreateIocRequest,
        response: { 200: WithPreviewOf(IocBody), 201: IocBody },
      }),
      async (request, reply) => {
        const { dry_run, result } = await changes.run(request, (tx, caller) => iocs.create(tx, caller, request.body));
        return answer(reply, result.isNew ? 201 : 200, { dry_run, result: result.ioc });
      },
    );

    app.post(
      "/iocs/bulk",
      operation("createIocs", "Create many IOCs", change, { body: BulkIocsRequest, response: { 200: Imported } }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => iocs.createMany(tx, caller, request.body)),
    );

    app.post(
      "/iocs/check",
      operation("checkIocs", "Check values against known IOCs", checking, {
        description:
          "Stores nothing. `items` are in the order of `values`; `warned` means that the value is on a warning list.",
        body: CheckIocsRequest,
        response: { 200: CheckedIocsBody },
      }),
      async ({ body }) => iocs.check(body),
    );

    app.post(
      "/iocs/import",
      operation("importIocs", "Import IOCs", importing, {
        description:
          "Takes a STIX 2.1 bundle, MISP events or attributes, at most 10,000 objects and 32 MiB, also gzipped. Names every object that is refused, with the reason.",
        querystring: ImportIocsQuery,
        response: { 200: Imported },
      }),
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
      operation(
        "exportIocs",
        "Export IOCs",
        { ...reading, exports: "ioc.exported" },
        { description: "One bundle or event as a stream, at most 1,000,000 IOCs.", querystring: ExportIocsQuery },
      ),
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
      operation("getIoc", "Get an IOC", reading, {
        description: "`searched_at` is null until stored logs were searched for it.",
        params: IocParams,
        response: { 200: IocDetailBody },
      }),
      async ({ params }) => iocs.get(params.id),
    );

    app.patch(
      "/iocs/:id",
      operation("updateIoc", "Update an IOC", change, {
        description: "Replaces the stored values, so an end can be brought forward.",
        params: IocParams,
        body: UpdateIocRequest,
        response: { 200: WithPreviewOf(IocDetailBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          iocs.update(tx, caller, request.params.id, request.body),
        ),
    );

    app.delete(
      "/iocs/:id",
      operation("deleteIoc", "Delete an IOC", change, {
        description: "Its hits are removed, too.",
        params: IocParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => iocs.delete(tx, caller, request.params.id)),
    );

    app.get(
      "/iocs/:id/hits",
      operation("listIocHits", "List the hits of an IOC", reading, {
        description: "Newest first.",
        params: IocParams,
        querystring: PageQuery,
        response: { 200: PageOf(IocHitBody) },
      }),
      async ({ params, query }) => iocs.listHits(params.id, query),
    );
  };
}
