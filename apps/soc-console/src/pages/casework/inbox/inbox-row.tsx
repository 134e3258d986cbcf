import { AtSign, CircleAlert, Clock, Gavel, Hourglass, LogIn, type LucideIcon, UserRoundCheck } from "lucide-react";
import { memo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { InboxItem, InboxKind } from "./inbox-client.ts";
import { inboxPhrases } from "./inbox-phrases.ts";
import { subjectPath } from "./inbox-rows.ts";

const ICONS: Readonly<Record<InboxKind, LucideIcon>> = {
  assigned: UserRoundCheck,
  mentioned: AtSign,
  waiting: Hourglass,
  decided: Gavel,
  failed: CircleAlert,
  due: Clock,
  sign_in: LogIn,
};

export interface InboxRowProps {
  item: InboxItem;
  isCursor: boolean;
  onOpen: (item: InboxItem) => void;
}

/** One item: reason, subject, author and time. */
export const InboxRow = memo(function InboxRow({ item, isCursor, onOpen }: InboxRowProps) {
  const words = usePhrases(inboxPhrases);
  const time = useTime();
  const { id, kind, title, actor, at, read_at } = item;
  const Icon = ICONS[kind];
  const names = ["inbox-row", isCursor && "inbox-cursor", read_at === null && "inbox-unread"];
  return (
    <li data-item={id} onClickCapture={() => onOpen(item)}>
      <Link to={subjectPath(item)} className={names.filter(Boolean).join(" ")} activeOptions={{ exact: true }}>
        <span className="inbox-dot">
          {read_at === null && <span className="screen-reader-only">{words.unread}</span>}
        </span>
        <span className="inbox-kind">
          <Icon size={14} aria-hidden="true" />
          {words.kinds[kind]}
        </span>
        <span className="inbox-title">
          <SafeText>{title}</SafeText>
        </span>
        <span className="inbox-actor">{actor !== null && <SafeText isMono>{actor}</SafeText>}</span>
        <time className="inbox-time" dateTime={at} title={time.dateTime(at)}>
          {time.relative(at)}
        </time>
      </Link>
    </li>
  );
});
