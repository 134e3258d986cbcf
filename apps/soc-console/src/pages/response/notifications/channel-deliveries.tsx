import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { Panel } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { type Delivery, deliveriesKey, listDeliveries } from "./channels-client.ts";
import { channelsPhrases } from "./channels-phrases.ts";

const POLL_MS = 2000;

const TONES: Readonly<Record<Delivery["status"], Tone>> = {
  queued: "waiting",
  sent: "ok",
  recorded: "plain",
  dead: "failed",
};

/** The most recent deliveries of a channel, polled while a first attempt is in progress. */
export function useDeliveries(channelId: string) {
  const { server } = useApp();
  return useQuery({
    queryKey: deliveriesKey(channelId),
    queryFn: ({ signal }) => listDeliveries(server, channelId, signal),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status, attempts }) => status === "queued" && attempts === 0) ? POLL_MS : false,
  });
}

export function ChannelDeliveries({ channelId }: { channelId: string }) {
  const words = usePhrases(channelsPhrases);
  const { data, error, refetch } = useDeliveries(channelId);
  return (
    <Panel title={words.deliveries}>
      {!data && (error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />)}
      {data?.items.length === 0 && <p className="soft">{words.noDeliveries}</p>}
      <ul className="channels-deliveries">
        {data?.items.map((delivery) => (
          <DeliveryLine key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </Panel>
  );
}

function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const words = usePhrases(channelsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { status, type, text, attempts, next_attempt_at, last_error, created_at } = delivery;
  return (
    <li className="channels-delivery">
      <p className="channels-delivery-head">
        <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>
        <SafeText isMono>{type}</SafeText>
        <time className="soft" dateTime={created_at} title={time.dateTime(created_at)}>
          {time.relative(created_at)}
        </time>
      </p>
      <p className="soft">
        <SafeText>{text}</SafeText>
      </p>
      {last_error !== null && (
        <p className="channels-error">
          <SafeText>{last_error}</SafeText> · {numbers.count(attempts, words.attempts)}
          {status === "queued" && <> · {fill(words.nextAttempt, { time: time.relative(next_attempt_at) })}</>}
        </p>
      )}
    </li>
  );
}
