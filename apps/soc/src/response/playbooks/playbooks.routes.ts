import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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
/** A playbook can send requests out of the platform, also without an approval. */
const writing = { ...change, stepUp: true } as const;

export function playbooksRoutes(playbooks: PlaybooksService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/soar/playbooks",
      operation("listSoarPlaybooks", "List SOAR playbooks", reading, {
        description:
          "`for_alert` keeps playbooks with an input from a field of an alert whose required inputs have a value of their type in that alert; it needs `alerts:read`.",
        querystring: ListPlaybooksQuery,
        response: { 200: PageOf(PlaybookBody) },
      }),
      async (request) => playbooks.list(request.query, callerOf(request)),
    );

    app.get(
      "/playbooks",
      operation(
        "listPlaybooks",
        "List playbooks",
        { needs: ["playbooks:read"], byKey: true },
        {
          description: "The same records as `GET /soar/playbooks`.",
          querystring: ListPlaybooksQuery,
          response: { 200: PageOf(PlaybookBody) },
        },
      ),
      async (request) => playbooks.list(request.query, callerOf(request)),
    );

    app.get(
      "/soar/playbooks/:id",
      operation("getSoarPlaybook", "Get a SOAR playbook", reading, {
        params: PlaybookPath,
        response: { 200: PlaybookBody },
      }),
      async ({ params }, reply) => {
        const playbook = await playbooks.get(params.id);
        reply.header("etag", etagOf(playbook));
        return playbook;
      },
    );

    app.post(
      "/soar/playbooks/:id/toggle",
      operation(
        "toggleSoarPlaybook",
        "Enable or disable a SOAR playbook",
        { ...change, byKey: true },
        {
          description: "Answers the playbook with `enabled` flipped.",
          params: PlaybookPath,
          response: { 200: WithPreviewOf(PlaybookBody) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => playbooks.toggle(tx, caller, request.params.id)),
    );

    app.put(
      "/soar/playbooks/:id",
      operation("saveSoarPlaybook", "Create or update a SOAR playbook", writing, {
        description:
          "Takes the fields, or `yaml` with the same. Creates a new version; an unchanged playbook keeps its version.",
        params: PlaybookPath,
        body: Type.Unsafe<WrittenPlaybook>(WrittenPlaybook),
        response: { 200: WithPreviewOf(PlaybookBody), 201: PlaybookBody },
      }),
      async (request, reply) => {
        const { params, body, headers } = request;
        const read = await playbooks.read(body);
        const { dry_run, result } = await changes.run(request, (tx, caller) =>
          playbooks.put(tx, caller, params.id, read, headers["if-match"]),
        );
        if (!dry_run) reply.header("etag", etagOf(result.playbook));
        return answer(reply, result.result === "created" ? 201 : 200, { dry_run, result: result.playbook });
      },
    );

    app.get(
      "/soar/playbooks/:id/versions",
      operation("listSoarPlaybookVersions", "List the versions of a SOAR playbook", reading, {
        params: PlaybookPath,
        querystring: PageQuery,
        response: { 200: PageOf(PlaybookVersionBody) },
      }),
      async ({ params, query }) => playbooks.versions(params.id, query),
    );

    app.get(
      "/soar/playbooks/:id/yaml",
      operation("getSoarPlaybookYaml", "Get a SOAR playbook as YAML", reading, {
        params: PlaybookPath,
        response: { 200: Type.String() },
      }),
      async ({ params }, reply) => {
        const yaml = await playbooks.yaml(params.id);
        return reply.type("application/yaml; charset=utf-8").send(yaml);
      },
    );

    app.post(
      "/soar/playbooks/validate",
      operation(
        "validateSoarPlaybook",
        "Validate a SOAR playbook",
        { needs: ["soar:manage"], effect: "none" },
        { body: Type.Unsafe<WrittenPlaybook>(WrittenPlaybook), response: { 200: ValidatedPlaybookBody } },
      ),
      async ({ body }) => playbooks.validate(body),
    );

    app.post(
      "/soar/playbooks/import",
      operation("importSoarPlaybooks", "Import SOAR playbooks", writing, {
        description: "`yaml` has playbooks with their `id`, one document each. All or none are imported.",
        body: ImportPlaybooksRequest,
        response: { 200: PreviewOf(ImportedPlaybooksBody), 201: ImportedPlaybooksBody },
      }),
      async (request, reply) => {
        const read = await playbooks.readAll(request.body.yaml);
        return answerChange(changes, request, reply, 201, (tx, caller) => playbooks.importAll(tx, caller, read));
      },
    );
  };
}
