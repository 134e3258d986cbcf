import { ROLES } from "@soc/service/contract/foundation/caller/permissions";
import { Check } from "lucide-react";
import { Fragment, useMemo } from "react";
import { useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { type Role, rolePhrases } from "../../../app/session/role-phrases.ts";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { listRoleGroups } from "./role-table.ts";
import { rolesPhrases } from "./roles-phrases.ts";
import "./roles.css";

/** The permissions of each role. */
export function RolesPage() {
  const words = usePhrases(rolesPhrases);
  const names = usePhrases(rolePhrases);
  const own = useMe().role;
  const groups = useMemo(listRoleGroups, []);
  return (
    <SettingsPage tab="roles">
      <p className="soft">
        {words.fixed} {words.hint}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keys, too. */}
      <section className="roles-scroller" tabIndex={0} aria-label={words.permission}>
        <table className="roles-table">
          <thead>
            <tr>
              <th scope="col">{words.permission}</th>
              {ROLES.map((role) => (
                <th
                  key={role}
                  scope="col"
                  className={role === own ? "roles-own" : undefined}
                  title={names[role].meaning}
                >
                  {names[role].name}
                  {role === own && <small>{words.yours}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ resource, rows }) => (
              <Fragment key={resource}>
                {rows.map(({ permission, holders }, at) => (
                  <Line key={permission} name={permission} holders={holders} own={own} isFirst={at === 0} />
                ))}
              </Fragment>
            ))}
            <Line name={words.users} holders={["admin"]} own={own} isFirst isWords />
          </tbody>
        </table>
      </section>
    </SettingsPage>
  );
}

interface LineProps {
  name: string;
  holders: readonly Role[];
  own: Role;
  isFirst: boolean;
  isWords?: boolean;
}

function Line({ name, holders, own, isFirst, isWords = false }: LineProps) {
  const words = usePhrases(rolesPhrases);
  return (
    <tr className={isFirst ? "roles-first" : undefined}>
      <th scope="row" className={isWords ? undefined : "roles-permission"} dir={isWords ? undefined : "ltr"}>
        {name}
      </th>
      {ROLES.map((role) => {
        const isHeld = holders.includes(role);
        return (
          <td key={role} className={role === own ? "roles-own" : undefined}>
            {isHeld && <Check size={14} aria-hidden="true" />}
            <span className="screen-reader-only">{isHeld ? words.yes : words.no}</span>
          </td>
        );
      })}
    </tr>
  );
}
