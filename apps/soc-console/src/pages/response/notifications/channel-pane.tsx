import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmChange } from "../../../app/changes/confirm-change.tsx";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Facts } from "../../../design/panel.tsx";
import { Notice } from "../../../design/states.tsx";
import { ChannelDeliveries, useDeliveries } from "./channel-deliveries.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import {
  type Channel,
  type Delivery,
  deliveriesKey,
  removeChannel,
  testChannel,
  updateChannel,
} from "./channels-client.ts";
import { channelsPhrases } from "./channels-phrases.ts";

export interface ChannelPaneProps {
  channel: Channel;
  onChanged: (channel: Channel) => void;
  onRemoved: () => void;
}

export function ChannelPane({ channel, onChanged, onRemoved }: ChannelPaneProps) {
  const words = usePhrases(channelsPhrases);
  const { reason } = useChanges();
  const [asked, setAsked] = useState<"edit" | "remove">();
  const { setEnabled, remove, test, testId } = useChannelActions(channel, onChanged, onRemoved);
  const close = () => setAsked(undefined);
  const bring = (id: string, label: string, key: string, run: () => void): Command => ({
    id: `channels.${id}`,
    label,
    group: words.channels,
    keys: [key],
    isEnabled: reason === undefined,
    reason,
    run,
  });
  const edit = bring("edit", words.edit, "e", () => setAsked("edit"));
  const send = bring("test", words.test, "⇧T", () => void test());
  useCommands([edit, send]);
  const isFixed = { disabled: reason !== undefined, title: reason };
  return (
    <article className="channels-pane">
      <h2 className="channels-name">
        <SafeText>{channel.name}</SafeText>
      </h2>
      <ChannelFacts channel={channel} />
      <div className="channels-actions">
        <Button {...commandKeys(send)} {...isFixed} onClick={() => void test()}>
          {words.test}
        </Button>
        <Button {...commandKeys(edit)} {...isFixed} onClick={() => setAsked("edit")}>
          {words.edit}
        </Button>
        <Button {...isFixed} onClick={() => void setEnabled(!channel.enabled)}>
          {channel.enabled ? words.turnOff : words.turnOn}
        </Button>
        <Button kind="danger" {...isFixed} onClick={() => setAsked("remove")}>
          {words.remove}
        </Button>
      </div>
      {testId !== undefined && <TestOutcome channelId={channel.id} deliveryId={testId} />}
      <ChannelDeliveries channelId={channel.id} />
      {asked === "edit" && <ChannelDialog channel={channel} onClose={close} onDone={onChanged} />}
      {asked === "remove" && (
        <ConfirmChange
          title={fill(words.removeTitle, { name: channel.name })}
          label={words.remove}
          onConfirm={() => remove().then(close)}
          onClose={close}
        >
          <p>{words.removeText}</p>
        </ConfirmChange>
      )}
    </article>
  );
}

function ChannelFacts({ channel }: { channel: Channel }) {
  const words = usePhrases(channelsPhrases);
  const time = useTime();
  const { fields } = words;
  const isSigned = channel.settings.has_secret;
  return (
    <Facts
      items={[
        { label: fields.state, value: <ChannelState channel={channel} /> },
        { label: fields.kind, value: `${words.kinds[channel.kind]}. ${words.leaves}` },
        { label: fields.address, value: <ChannelAddress channel={channel} /> },
        ...(channel.kind === "webhook"
          ? [{ label: fields.secret, value: isSigned ? words.signed : words.unsigned }]
          : []),
        {
          label: fields.events,
          value: channel.events.length === 0 ? words.noEvents : <SafeText isMono>{channel.events.join(", ")}</SafeText>,
        },
        {
          label: fields.created,
          value: (
            <>
              <SafeText isMono>{channel.created_by}</SafeText> · {time.dateTime(channel.created_at)}
            </>
          ),
        },
      ]}
    />
  );
}

/** The host or the mail addresses: the full address is a secret. */
export function ChannelAddress({ channel: { settings } }: { channel: Channel }) {
  return <SafeText isMono>{settings.to?.join(", ") ?? settings.host ?? ""}</SafeText>;
}

export function ChannelState({ channel: { enabled, approval_id } }: { channel: Channel }) {
  const words = usePhrases(channelsPhrases);
  if (approval_id) return <Badge tone="plain">{words.waits}</Badge>;
  return <Badge tone={enabled ? "ok" : "plain"}>{enabled ? words.on : words.off}</Badge>;
}

/** The result of the test, polled from the deliveries. */
function TestOutcome({ channelId, deliveryId }: { channelId: string; deliveryId: string }) {
  const words = usePhrases(channelsPhrases);
  const { data } = useDeliveries(channelId);
  const delivery = data?.items.find(({ id }) => id === deliveryId);
  if (!delivery || (delivery.status === "queued" && delivery.attempts === 0)) {
    return <Notice tone="running">{words.testing}</Notice>;
  }
  return <KnownOutcome delivery={delivery} />;
}

function KnownOutcome({ delivery: { status, last_error } }: { delivery: Delivery }) {
  const words = usePhrases(channelsPhrases);
  if (status === "sent") return <Notice tone="ok">{words.testSent}</Notice>;
  if (status === "recorded") return <Notice tone="waiting">{words.testRecorded}</Notice>;
  return (
    <Notice tone="failed">
      <SafeText>{fill(words.testFailed, { error: last_error ?? "" })}</SafeText>{" "}
      {status === "queued" && words.testWaits}
    </Notice>
  );
}

function useChannelActions(channel: Channel, onChanged: (channel: Channel) => void, onRemoved: () => void) {
  const words = usePhrases(channelsPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const [testId, setTestId] = useState<string>();
  return {
    testId,
    setEnabled: async (enabled: boolean) => {
      const changed = await send(() => updateChannel(server, channel.id, { enabled }), { before: channel });
      if (!changed) return;
      notify({ tone: "ok", text: changed.approval_id ? words.waits : enabled ? words.turnedOn : words.turnedOff });
      onChanged(changed);
    },
    remove: async () => {
      const removed = await send(() => removeChannel(server, channel.id), { before: channel });
      if (!removed) return;
      notify({ tone: "ok", text: words.removed });
      onRemoved();
    },
    test: async () => {
      const delivery = await send(() => testChannel(server, channel.id));
      if (!delivery) return;
      setTestId(delivery.id);
      await queries.invalidateQueries({ queryKey: deliveriesKey(channel.id) });
    },
  };
}
