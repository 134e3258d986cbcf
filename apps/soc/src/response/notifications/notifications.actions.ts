import type { Clock } from "@kit/clock";
import { notFound } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Action, ActionContext } from "../../foundation/actions/action.ts";
import type { Channel } from "./channel.ts";
import type { ChannelsStore } from "./channels.store.ts";
import { cut, type Message } from "./message.ts";
import type { SendingService } from "./sending.service.ts";

const Params = Type.Object(
  {
    channel: Type.String({ minLength: 1, maxLength: 100, description: "its name or id" }),
    text: Type.String({ minLength: 1, maxLength: 4000 }),
  },
  { additionalProperties: false },
);

export interface NotificationActionsDeps {
  channels: Pick<ChannelsStore, "findNamed">;
  sending: SendingService;
  clock: Pick<Clock, "now">;
}

/** `notify.webhook`: a step that sends a message to a channel of any kind. */
export function createNotificationActions({ channels, sending, clock }: NotificationActionsDeps): Action[] {
  async function get(name: string): Promise<Channel> {
    const channel = await channels.findNamed(name);
    if (!channel) throw notFound("channel", name);
    return channel;
  }

  function buildMessage(
    text: string,
    { execution_id, playbook_id, step_id, alert_id, case_id, actor }: ActionContext,
  ): Message {
    const at = clock.now().toISOString();
    const data = { playbook_id, step_id, alert_id, case_id, actor };
    return { type: "playbook.notified", subject_id: execution_id, at, text: cut(text), data };
  }

  return [
    {
      name: "notify.webhook",
      kind: "outside",
      params: Params,

      async describe(params, context) {
        const { channel, text } = Value.Parse(Params, params);
        return sending.describe(await get(channel), buildMessage(text, context));
      },

      async run(params, context) {
        const { channel, text } = Value.Parse(Params, params);
        const found = await get(channel);
        const status = await sending.send(found, context.idempotencyKey, buildMessage(text, context));
        return { status, channel: found.name };
      },
    },
  ];
}
