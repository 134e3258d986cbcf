import type { Channel } from "../response/notifications/channel.ts";
import type { Delivery } from "../response/notifications/delivery.ts";
import { buildMessage } from "../response/notifications/message.ts";
import { emailOf, minutesBefore, toStoryId } from "./story.ts";

export interface ShowcaseNotifications {
  channels: Channel[];
  deliveries: Delivery[];
}

/**
 * Builds notifications of the pending approval: to the team's room immediately, to the manager after no decision was
 * made.
 */
export function buildShowcaseNotifications(now: Date): ShowcaseNotifications {
  const created_at = minutesBefore(now, 40_000);
  const made = { enabled: true, created_by: "hassan.ali", created_at, address_set_at: created_at };
  const channels: Channel[] = [
    {
      ...made,
      id: toStoryId("channel", 1),
      name: "SOC channel",
      kind: "chat",
      settings: { url: "https://chat.manara.example/hooks/soc" },
      events: ["approval.*", "case.created"],
      updated_at: made.created_at,
    },
    {
      ...made,
      id: toStoryId("channel", 2),
      name: "Shift email",
      kind: "email",
      settings: { to: [emailOf("hassan.ali")] },
      events: ["approval.escalated"],
      updated_at: made.created_at,
    },
  ];
  const sent: [channel: number, minutesAgo: number, type: string][] = [
    [1, 180, "approval.requested"],
    [1, 120, "approval.reminded"],
  ];
  const data = {
    action: "Run playbook 'Firmware mismatch'",
    requested_by: "daniel.okafor",
    expires_at: minutesBefore(now, -60).toISOString(),
  };
  const deliveries = sent.map(([channel, minutesAgo, type], index): Delivery => {
    const at = minutesBefore(now, minutesAgo);
    return {
      id: toStoryId("delivery", index + 1),
      channel_id: toStoryId("channel", channel),
      event_id: null,
      type,
      message: buildMessage({ type, subject_id: toStoryId("approval", 2), at: at.toISOString(), data }),
      status: "sent",
      attempts: 1,
      next_attempt_at: at,
      last_error: null,
      created_at: at,
      finished_at: at,
    };
  });
  return { channels, deliveries };
}
