import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { later, now } from "../../../app/browser/clock.ts";
import { FormDialog, useForm } from "../../../app/changes/form-dialog.tsx";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import type { Permission } from "../../../app/session/session.ts";
import { SitesField } from "../../../app/sites/sites-field.tsx";
import { Checkbox, SelectField, TextField } from "../../../design/field.tsx";
import { createKey, listOwners, type NewApiKey } from "./api-keys-client.ts";
import { apiKeysPhrases } from "./api-keys-phrases.ts";

const DAY_SECONDS = 86_400;
const LENGTHS = ["30", "90", "365"] as const;

interface KeyForm {
  name: string;
  owner: string;
  days: (typeof LENGTHS)[number];
  scopes: readonly Permission[];
  sites: readonly string[] | undefined;
}

export interface NewKeyDialogProps {
  onClose: () => void;
  onCreated: (key: NewApiKey) => void;
}

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const words = usePhrases(apiKeysPhrases);
  const form = useKeyForm(onCreated);
  const { typed, type, findError } = form;
  const isIncomplete = typed.name.trim() === "" || typed.scopes.length === 0 || typed.sites?.length === 0;
  return (
    <FormDialog title={words.newKey} verb={words.create} className="api-keys-form" {...{ form, isIncomplete, onClose }}>
      <TextField
        label={words.fields.name}
        hint={words.nameHint}
        error={findError("name")}
        required
        maxLength={100}
        pattern="[A-Za-z0-9._\-]+"
        dir="ltr"
        spellCheck={false}
        value={typed.name}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      <OwnerField value={typed.owner} error={findError("owner")} onChange={(owner) => type({ owner })} />
      <SelectField
        label={words.endsIn}
        value={typed.days}
        onChange={(days) => type({ days })}
        options={LENGTHS.map((value) => ({ value, label: words.days[value] }))}
      />
      <ScopesField value={typed.scopes} onChange={(scopes) => type({ scopes })} />
      <SitesField value={typed.sites} onChange={(sites) => type({ sites })} hint={words.sitesHint} />
    </FormDialog>
  );
}

function OwnerField(props: { value: string; error: string | undefined; onChange: (owner: string) => void }) {
  const words = usePhrases(apiKeysPhrases);
  const list = useId();
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: ["users", "directory"],
    queryFn: ({ signal }) => listOwners(server, signal),
    retry: false,
  });
  return (
    <>
      <TextField
        label={words.fields.owner}
        hint={words.ownerHint}
        error={props.error}
        list={list}
        maxLength={100}
        dir="ltr"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {data?.items.map(({ username }) => (
          <option key={username} value={username} />
        ))}
      </datalist>
    </>
  );
}

/** The scopes of the user. An administrator has all. */
function ScopesField(props: { value: readonly Permission[]; onChange: (scopes: readonly Permission[]) => void }) {
  const words = usePhrases(apiKeysPhrases);
  const { permissions } = useMe();
  const toggle = (scope: Permission, isOn: boolean) =>
    props.onChange(isOn ? [...props.value, scope] : props.value.filter((other) => other !== scope));
  return (
    <fieldset className="api-keys-scopes">
      <legend className="field-label">{words.fields.scopes}</legend>
      <p className="field-hint">{words.scopesHint}</p>
      <div className="api-keys-scope-list" dir="ltr">
        {permissions.map((scope) => (
          <Checkbox
            key={scope}
            label={scope}
            checked={props.value.includes(scope)}
            onChange={(isOn) => toggle(scope, isOn)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function useKeyForm(onCreated: (key: NewApiKey) => void) {
  const { server } = useApp();
  const me = useMe();
  return useForm<KeyForm, NewApiKey>({
    initial: { name: "", owner: me.username, days: "365", scopes: [], sites: undefined },
    hasField: (field) => field === "name" || field === "owner",
    ask: ({ name, owner, days, scopes, sites }) =>
      createKey(server, {
        name: name.trim(),
        scopes: [...scopes],
        ...(owner.trim() !== "" && { owner: owner.trim() }),
        expires_at: later(now(), Number(days) * DAY_SECONDS).toISOString(),
        sites: sites ? [...sites] : null,
      }),
    onDone: onCreated,
  });
}
