import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  ImportedPlaybooksBody,
  ImportPlaybooksRequest,
  ListPlaybooksQuery,
  PlaybookBody,
  PlaybookPath,
  PlaybookVersionBody,
  ValidatedPlaybookBody,
  WrittenPlaybook,
} from "./playbooks.schema.ts";
import type { PlaybooksService } from "./playbooks.service.ts";

const reading = { needs: ["soar:read"], byKey: true } as const;
const change = { needs: ["soar:manage"], effect: "change" } as const;

export function playbooksRoutes(playbooks: PlaybooksService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/soar/playbooks",
      {
        config: reading,
        schema: {
          operationId: "listSoarPlaybooks",
          summary: "List SOAR playbooks",
          querystring: ListPlaybooksQuery,
          response: { 200: PageOf(PlaybookBody) },
        },
      },
      async (request) => playbooks.list(request.query, callerOf(request)),
    );

    app.get(
      "/playbooks",
      {
        config: { needs: ["playbooks:read"], byKey: true },
        schema: {
          operationId: "listPlaybooks",
          summary: "List playbooks",
          querystring: ListPlaybooksQuery,
          response: { 200: PageOf(PlaybookBody) },
        },
      },
      async (request) => playbooks.list(request.query, callerOf(request)),
    );

    app.get(
      "/soar/playbooks/:id",
      {
        config: reading,
        schema: {
          operationId: "getSoarPlaybook",
          summary: "Get a SOAR playbook",
          params: PlaybookPath,
          response: { 200: PlaybookBody },
        },
      },
      async ({ params }, reply) => {
        const playbook = await playbooks.get(params.id);
        reply.header("etag", etagOf(playbook));
        return playbook;
      },
    );

    app.post(
      "/soar/playbooks/:id/toggle",
      {
        config: { ...change, byKey: true },
        schema: {
          operationId: "toggleSoarPlaybook",
          summary: "Enable or disable a SOAR playbook",
          params: PlaybookPath,
          response: { 200: Type.Union([PlaybookBody, PreviewOf(PlaybookBody)]) },
        },
      },
      async (request, reply) => {
        const toggled = await changes.run(request, (tx, caller) => playbooks.toggle(tx, caller, request.params.id));
        return answer(reply, 200, toggled);
      },
    );

    app.put(
      "/soar/playbooks/:id",
      {
        config: change,
        schema: {
          operationId: "saveSoarPlaybook",
          summary: "Create or update a SOAR playbook",
          params: PlaybookPath,
          body: Type.Unsafe<WrittenPlaybook>(WrittenPlaybook),
          response: { 200: Type.Union([PlaybookBody, PreviewOf(PlaybookBody)]), 201: PlaybookBody },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const { dry_run, result } = await changes.run(request, (tx, caller) =>
          playbooks.put(tx, caller, params.id, body, headers["if-match"]),
        );
        if (!dry_run) reply.header("etag", etagOf(result.playbook));
        return answer(reply, result.result === "created" ? 201 : 200, { dry_run, result: result.playbook });
      },
    );

    app.get(
      "/soar/playbooks/:id/versions",
      {
        config: reading,
        schema: {
          operationId: "listSoarPlaybookVersions",
          summary: "List the versions of a SOAR playbook",
          params: PlaybookPath,
          querystring: PageQuery,
          response: { 200: PageOf(PlaybookVersionBody) },
        },
      },
      async ({ params, query }) => playbooks.versions(params.id, query),
    );

    app.get(
      "/soar/playbooks/:id/yaml",
      {
        config: reading,
        schema: {
          operationId: "getSoarPlaybookYaml",
          summary: "Get a SOAR playbook as YAML",
          params: PlaybookPath,
          response: { 200: Type.String() },
        },
      },
      async ({ params }, reply) => {
        const yaml = await playbooks.yaml(params.id);
        return reply.type("application/yaml; charset=utf-8").send(yaml);
      },
    );

    app.post(
      "/soar/playbooks/validate",
      {
        config: { needs: ["soar:manage"], effect: "none" },
        schema: {
          operationId: "validateSoarPlaybook",
          summary: "Validate a SOAR playbook",
          body: Type.Unsafe<WrittenPlaybook>(WrittenPlaybook),
          response: { 200: ValidatedPlaybookBody },
        },
      },
      async ({ body }) => playbooks.validate(body),
    );

    app.post(
      "/soar/playbooks/import",
      {
        config: change,
        schema: {
          operationId: "importSoarPlaybooks",
          summary: "Import SOAR playbooks",
          body: ImportPlaybooksRequest,
          response: { 200: PreviewOf(ImportedPlaybooksBody), 201: ImportedPlaybooksBody },
        },
      },
      async (request, reply) => {
        const imported = await changes.run(request, (tx, caller) => playbooks.importAll(tx, caller, request.body.yaml));
        return answer(reply, 201, imported);
      },
    );
  };
}
