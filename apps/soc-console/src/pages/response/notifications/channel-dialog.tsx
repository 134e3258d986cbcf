import type { ChannelKind } from "@soc/service/contract/response/notifications/channels";
import { FormDialog, useForm } from "../../../app/changes/form-dialog.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../design/field.tsx";
import { type ChosenEvents, EVENT_NOUNS, joinEvents, splitEvents } from "./channel-events.ts";
import { type Channel, createChannel, updateChannel } from "./channels-client.ts";
import { channelsPhrases } from "./channels-phrases.ts";

const KINDS: readonly ChannelKind[] = ["webhook", "email", "chat"];

interface ChannelForm {
  name: string;
  kind: ChannelKind;
  /** Secrets stay in this form: they are sent once and stored nowhere else. */
  url: string;
  secret: string;
  to: string;
  events: ChosenEvents;
}

export interface ChannelDialogProps {
  /** The channel to change; undefined for a new one. */
  channel?: Channel | undefined;
  onClose: () => void;
  onDone: (channel: Channel) => void;
}

export function ChannelDialog({ channel, onClose, onDone }: ChannelDialogProps) {
  const words = usePhrases(channelsPhrases);
  const form = useChannelForm({ channel, onClose, onDone });
  const { typed, type, findError } = form;
  const { wrong } = joinEvents(typed.events);
  const isIncomplete = typed.name.trim() === "" || wrong.length > 0;
  return (
    <FormDialog
      title={channel ? fill(words.editTitle, { name: channel.name }) : words.newChannel}
      verb={channel ? words.save : words.create}
      className="channels-form"
      {...{ form, isIncomplete, onClose }}
    >
      <TextField
        label={words.fields.name}
        error={findError("name")}
        required
        maxLength={100}
        dir="auto"
        value={typed.name}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      {!channel && (
        <SelectField
          label={words.fields.kind}
          hint={words.kindHints[typed.kind]}
          value={typed.kind}
          onChange={(kind) => type({ kind })}
          options={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        />
      )}
      <AddressFields typed={typed} type={type} findError={findError} isNew={!channel} />
      <EventsField value={typed.events} wrong={wrong} onChange={(events) => type({ events })} />
    </FormDialog>
  );
}

interface AddressFieldsProps {
  typed: ChannelForm;
  type: (some: Partial<ChannelForm>) => void;
  findError: (field: string) => string | undefined;
  isNew: boolean;
}

function AddressFields({ typed, type, findError, isNew }: AddressFieldsProps) {
  const words = usePhrases(channelsPhrases);
  const find = (field: string) => findError(`settings.${field}`);
  if (typed.kind === "email") {
    return (
      <TextArea
        label={words.to}
        hint={words.toHint}
        error={find("to")}
        required
        rows={3}
        dir="ltr"
        value={typed.to}
        onChange={(event) => type({ to: event.currentTarget.value })}
      />
    );
  }
  return (
    <>
      <TextField
        label={words.url}
        hint={isNew ? words.urlHint : words.urlKept}
        error={find("url")}
        required={isNew}
        maxLength={1024}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={typed.url}
        onChange={(event) => type({ url: event.currentTarget.value })}
      />
      {typed.kind === "webhook" && (
        <TextField
          label={words.fields.secret}
          hint={isNew ? words.secretHint : words.secretKept}
          error={find("secret")}
          type="password"
          required={isNew}
          minLength={16}
          maxLength={256}
          autoComplete="new-password"
          value={typed.secret}
          onChange={(event) => type({ secret: event.currentTarget.value })}
        />
      )}
    </>
  );
}

interface EventsFieldProps {
  value: ChosenEvents;
  wrong: readonly string[];
  onChange: (events: ChosenEvents) => void;
}

function EventsField({ value, wrong, onChange }: EventsFieldProps) {
  const words = usePhrases(channelsPhrases);
  const { nouns, single } = value;
  return (
    <>
      <fieldset className="channels-events">
        <legend className="field-label">{words.everythingOf}</legend>
        {EVENT_NOUNS.map((noun) => (
          <Checkbox
            key={noun}
            label={words.nouns[noun]}
            checked={nouns.includes(noun)}
            onChange={(isOn) =>
              onChange({ single, nouns: isOn ? [...nouns, noun] : nouns.filter((other) => other !== noun) })
            }
          />
        ))}
      </fieldset>
      <TextField
        label={words.single}
        hint={words.singleHint}
        error={wrong.length > 0 && fill(words.wrongEvents, { events: wrong.join(", ") })}
        dir="ltr"
        spellCheck={false}
        value={single}
        onChange={(event) => onChange({ nouns, single: event.currentTarget.value })}
      />
    </>
  );
}

/** Only the entered values: an address or a secret that is omitted stays unchanged. */
function toSettings({ kind, url, secret, to }: ChannelForm) {
  if (kind === "email") return { to: to.split(/[\s,;]+/).filter((address) => address !== "") };
  return { ...(url.trim() !== "" && { url: url.trim() }), ...(kind === "webhook" && secret !== "" && { secret }) };
}

function useChannelForm({ channel, onClose, onDone }: ChannelDialogProps) {
  const words = usePhrases(channelsPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  return useForm<ChannelForm, Channel>({
    initial: {
      name: channel?.name ?? "",
      kind: channel?.kind ?? "webhook",
      url: "",
      secret: "",
      to: channel?.settings.to?.join("\n") ?? "",
      events: splitEvents(channel?.events ?? ["approval.*"]),
    },
    before: channel,
    hasField: (field) => field === "name" || field.startsWith("settings."),
    ask(typed) {
      const common = { name: typed.name.trim(), settings: toSettings(typed), events: joinEvents(typed.events).events };
      if (channel) return updateChannel(server, channel.id, common);
      return createChannel(server, { ...common, kind: typed.kind, enabled: true });
    },
    onDone(done) {
      notify({ tone: "ok", text: done.approval_id ? words.waits : channel ? words.changed : words.created });
      onDone(done);
      onClose();
    },
  });
}
