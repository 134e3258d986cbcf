import Type from "typebox";
import type { Base, Registrations } from "../../foundation/base.ts";
import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { UserPath } from "../users/users.schema.ts";
import { type AccountLinksDeps, type AccountLinksService, createAccountLinksService } from "./account-links.service.ts";

const VouchRequest = Type.Object(
  { reason: Type.String({ minLength: 1, maxLength: 1000, description: "how you verified the person" }) },
  { title: "VouchRequest", additionalProperties: false },
);
const VouchBody = Type.Object(
  { username: Type.String(), vouched_by: Type.String(), ended_links: Type.Array(Type.String()) },
  { title: "Vouch" },
);

export function createAccountLinks({ changes, audit }: Base, needs: Pick<AccountLinksDeps, "users">) {
  const links = createAccountLinksService({ ...needs, audit });
  return { registrations: { routes: [accountLinksRoutes(links, changes)] } satisfies Registrations };
}

function accountLinksRoutes(links: AccountLinksService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/users/:username/vouch",
      operation(
        "vouchForUser",
        "Vouch for an account",
        { needs: "role:admin", effect: "change", stepUp: true },
        {
          description:
            "With four eyes, an account and the person who created, enabled or reset it count as one person for 30 days. This ends it. 403 for that person, the account and every administrator with such a link to either; 409 if there is no link.",
          params: UserPath,
          body: VouchRequest,
          response: { 200: WithPreviewOf(VouchBody) },
        },
      ),
      async (request, reply) => {
        const { params, body } = request;
        return answer(
          reply,
          200,
          await changes.run(request, (tx, caller) => links.vouch(tx, caller, params.username, body)),
        );
      },
    );
  };
}
