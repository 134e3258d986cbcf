import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { SiteNames } from "../../../app/sites/site-names.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { Facts } from "../../../design/panel.tsx";
import { type ApiKey, endKey } from "./api-keys-client.ts";
import { apiKeysPhrases } from "./api-keys-phrases.ts";
import { type KeyState, readKeyState } from "./key-state.ts";

const TONES: Readonly<Record<KeyState, Tone>> = {
  works: "ok",
  "ends-soon": "waiting",
  expired: "failed",
  ended: "failed",
};

export function KeyStateBadge({ apiKey }: { apiKey: ApiKey }) {
  const words = usePhrases(apiKeysPhrases);
  const state = readKeyState(apiKey, now());
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}

export function KeyPane({ apiKey, onEnded }: { apiKey: ApiKey; onEnded: () => void }) {
  const words = usePhrases(apiKeysPhrases);
  const { server } = useApp();
  const { send, reason } = useChanges();
  const { notify } = useNotices();
  const [isAsking, setIsAsking] = useState(false);
  const end = async () => {
    const ended = await send(() => endKey(server, apiKey.id), { before: apiKey });
    setIsAsking(false);
    if (!ended) return;
    notify({ tone: "ok", text: words.ended });
    onEnded();
  };
  return (
    <article className="api-keys-pane">
      <h2 className="api-keys-name">
        <SafeText isMono>{apiKey.name}</SafeText>
      </h2>
      <KeyFacts apiKey={apiKey} />
      {!apiKey.revoked && (
        <div>
          <Button kind="danger" disabled={reason !== undefined} title={reason} onClick={() => setIsAsking(true)}>
            {words.end}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmChange
          title={fill(words.endTitle, { name: apiKey.name })}
          label={words.end}
          onConfirm={end}
          onClose={() => setIsAsking(false)}
        >
          <p>{words.endText}</p>
        </ConfirmChange>
      )}
    </article>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const words = usePhrases(apiKeysPhrases);
  const time = useTime();
  const { fields } = words;
  return (
    <Facts
      items={[
        {
          label: fields.state,
          value: (
            <>
              <KeyStateBadge apiKey={apiKey} />{" "}
              <span className="soft">{words.stateHints[readKeyState(apiKey, now())]}</span>
            </>
          ),
        },
        {
          label: fields.owner,
          value: (
            <Link to="/settings/users" search={{ pane: apiKey.owner }}>
              <SafeText isMono>{apiKey.owner}</SafeText>
            </Link>
          ),
        },
        { label: fields.sites, value: <SiteNames sites={apiKey.sites} /> },
        {
          label: fields.lastUsed,
          value: apiKey.last_used_at === null ? words.never : time.dateTime(apiKey.last_used_at),
        },
        { label: fields.ends, value: time.dateTime(apiKey.expires_at) },
        { label: fields.prefix, value: <SafeText isMono>{apiKey.prefix}</SafeText> },
        {
          label: fields.created,
          value: fill(words.createdBy, { name: apiKey.created_by, time: time.dateTime(apiKey.created_at) }),
        },
        {
          label: fields.scopes,
          value: (
            <ul className="api-keys-held" dir="ltr">
              {apiKey.scopes.map((scope) => (
                <li key={scope}>{scope}</li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
}
