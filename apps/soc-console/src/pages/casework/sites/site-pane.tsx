import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { quoteValue } from "../../../app/query-editor/query-place.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Facts, Panel } from "../../../design/panel.tsx";
import { countAllSites, filterBySite } from "./site-members.ts";
import { removeSite, type Site, type SiteKey, type SiteUser } from "./sites-client.ts";
import { formatClasses, sitesPhrases } from "./sites-phrases.ts";

export interface HeldLists {
  users: readonly SiteUser[];
  keys: readonly SiteKey[];
}

export interface SitePaneProps {
  site: Site;
  /** Undefined for a user who may not list users and keys. */
  held: HeldLists | undefined;
  onRemoved: () => void;
}

export function SitePane({ site, held, onRemoved }: SitePaneProps) {
  const words = usePhrases(sitesPhrases);
  const { server } = useApp();
  const { send, reason, mayWrite } = useChanges();
  const { notify } = useNotices();
  const [isAsking, setIsAsking] = useState(false);
  const remove = async () => {
    const removed = await send(() => removeSite(server, site.id), { before: site });
    setIsAsking(false);
    if (!removed) return;
    notify({ tone: "ok", text: words.removed });
    onRemoved();
  };
  return (
    <article className="sites-pane">
      <h2 className="sites-name">
        <SafeText>{site.name}</SafeText>
      </h2>
      <SiteFacts site={site} />
      {held && <HeldPanel site={site} held={held} />}
      {mayWrite && (
        <div>
          <Button kind="danger" disabled={reason !== undefined} title={reason} onClick={() => setIsAsking(true)}>
            {words.remove}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmChange
          title={fill(words.removeTitle, { name: site.name })}
          label={words.remove}
          onConfirm={remove}
          onClose={() => setIsAsking(false)}
        >
          <p>{words.removeText}</p>
        </ConfirmChange>
      )}
    </article>
  );
}

/** A value of the profile, which may be any JSON. */
function readText(profile: Site["profile"], name: string): string | undefined {
  const value = Object.entries(profile).find(([key]) => key === name)?.[1];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function SiteFacts({ site }: { site: Site }) {
  const words = usePhrases(sitesPhrases);
  const description = readText(site.profile, "description");
  const contact = readText(site.profile, "contact");
  const query = `site:${quoteValue(site.name)}`;
  return (
    <>
      <Facts
        items={[
          {
            label: words.fields.classes,
            value: formatClasses(words.classes, site.profile.asset_classes),
          },
          ...(description === undefined
            ? []
            : [{ label: words.fields.description, value: <SafeText>{description}</SafeText> }]),
          ...(contact === undefined
            ? []
            : [{ label: words.fields.contact, value: <SafeText isMono>{contact}</SafeText> }]),
        ]}
      />
      <p className="sites-links">
        <Link to="/alerts" search={{ q: query }}>
          {words.alerts}
        </Link>
        <Link to="/hunt" search={{ q: query, from: "-24h" }}>
          {words.logs}
        </Link>
      </p>
    </>
  );
}

function HeldPanel({ site, held }: { site: Site; held: HeldLists }) {
  const words = usePhrases(sitesPhrases);
  const numbers = useNumbers();
  const users = filterBySite(held.users, site.id);
  const keys = filterBySite(held.keys, site.id);
  return (
    <Panel title={words.heldTo}>
      <p className="soft">{users.length + keys.length === 0 ? words.noneHeld : words.heldHint}</p>
      <ul className="sites-held">
        {users.map(({ username }) => (
          <li key={username}>
            <Link to="/settings/users" search={{ pane: username }}>
              <SafeText isMono>{username}</SafeText>
            </Link>
          </li>
        ))}
        {keys.map(({ id, name }) => (
          <li key={id}>
            <Link to="/settings/keys" search={{ pane: id }}>
              <SafeText isMono>{`key:${name}`}</SafeText>
            </Link>
          </li>
        ))}
      </ul>
      <p className="soft">
        {numbers.count(countAllSites(held.users), words.allUsers)}{" "}
        {numbers.count(countAllSites(held.keys), words.allKeys)}
      </p>
    </Panel>
  );
}
