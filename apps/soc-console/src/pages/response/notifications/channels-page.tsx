import { useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { withChanges } from "../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../app/changes/use-main-command.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { RecordList, useRecordPages } from "../../../app/lists/record-list.tsx";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import { ChannelAddress, ChannelPane, ChannelState } from "./channel-pane.tsx";
import { type Channel, listChannels } from "./channels-client.ts";
import { channelsPhrases } from "./channels-phrases.ts";
import "./channels.css";

export const ChannelsPage = withChanges("soar:manage", Channels);

const readKey = ({ id }: Channel) => id;

function Channels() {
  const words = usePhrases(channelsPhrases);
  const { server } = useApp();
  const { change } = useAddress();
  const [isCreating, setIsCreating] = useState(false);
  const pages = useRecordPages<Channel>("channels", {}, (query, signal) => listChannels(server, query, signal));
  const patch = (changed: Channel) => pages.patch((channel) => (channel.id === changed.id ? changed : channel));
  const tools = useMainCommand({
    id: "channels.new",
    label: words.newChannel,
    group: words.channels,
    run: () => setIsCreating(true),
  });
  const { fields } = words;
  const leave = () => {
    change({ pane: undefined });
    pages.reload();
  };
  return (
    <SettingsPage tab="channels" isFull tools={tools}>
      <RecordList
        label={words.channels}
        noun="channels"
        events="channel."
        columns={[
          { key: "name", title: fields.name, width: "minmax(130px, 1fr)" },
          { key: "kind", title: fields.kind, width: "96px" },
          { key: "state", title: fields.state, width: "80px" },
          { key: "address", title: fields.address, width: "minmax(100px, 1fr)" },
          { key: "events", title: fields.events, width: "minmax(0, 1.4fr)" },
        ]}
        pages={pages}
        rowKey={readKey}
        rowName={({ name }) => safeText(name)}
        renderRow={(channel: Channel) => (
          <>
            <SafeText>{channel.name}</SafeText>
            <span>{words.kinds[channel.kind]}</span>
            <ChannelState channel={channel} />
            <ChannelAddress channel={channel} />
            <span className="soft">
              {channel.events.length === 0 ? words.noEvents : <SafeText isMono>{channel.events.join(", ")}</SafeText>}
            </span>
          </>
        )}
        renderPane={(channel) => <ChannelPane key={channel.id} channel={channel} onChanged={patch} onRemoved={leave} />}
        empty={<EmptyState title={words.empty} text={words.emptyText} />}
      />
      {isCreating && <ChannelDialog onClose={() => setIsCreating(false)} onDone={pages.reload} />}
    </SettingsPage>
  );
}
