import {
  BellRing,
  BookOpen,
  Bot,
  Briefcase,
  Cpu,
  FileText,
  Fingerprint,
  Gauge,
  Grid3x3,
  History,
  Inbox,
  Laptop,
  type LucideIcon,
  MessageSquareText,
  PanelLeftClose,
  PanelLeftOpen,
  Play,
  ScanEye,
  ScrollText,
  Search,
  Settings,
  ShieldCheck,
} from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "../app/address/link.tsx";
import { useAddress } from "../app/address/use-address.ts";
import { useMe } from "../app/context/app-context.ts";
import { usePhrases } from "../app/language/language-context.tsx";
import { meets } from "../app/session/session.ts";
import { IconButton } from "../design/button.tsx";
import { Mark } from "../design/mark.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { NAV_ITEMS, type Place, type PlaceName } from "./navigation.ts";
import { shellPhrases } from "./shell-phrases.ts";
import { useBadges } from "./use-badges.ts";

const ICONS: Readonly<Record<PlaceName, LucideIcon>> = {
  overview: Gauge,
  inbox: Inbox,
  alerts: BellRing,
  cases: Briefcase,
  approvals: ShieldCheck,
  hunt: Search,
  detections: ScanEye,
  attack: Grid3x3,
  indicators: Fingerprint,
  playbooks: BookOpen,
  runs: Play,
  endpoints: Laptop,
  devices: Cpu,
  agents: Bot,
  reports: FileText,
  ledger: ScrollText,
  audit: History,
  settings: Settings,
};

function RailPlace({ place, badge }: { place: Place; badge: string | undefined }) {
  const words = usePhrases(shellPhrases);
  const { path } = useAddress();
  const line = useRef<HTMLLIElement>(null);
  const isCurrent = place.path === "/" ? path === "/" : path === place.path || path.startsWith(`${place.path}/`);
  // On a phone the rail is a row that scrolls.
  useEffect(() => {
    if (isCurrent) line.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [isCurrent]);
  const Icon = ICONS[place.name];
  return (
    <li ref={line}>
      <Link
        to={place.path}
        className="rail-place"
        title={`${words.places[place.name]} · G ${place.letter.toUpperCase()}`}
        activeOptions={{ exact: place.path === "/", includeSearch: false }}
      >
        <Icon className="rail-icon" size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="rail-name">{words.places[place.name]}</span>
        {badge !== undefined && <span className="rail-badge">{badge}</span>}
      </Link>
    </li>
  );
}

interface RailProps {
  isFolded: boolean;
  onFold: () => void;
  isChatOpen: boolean;
  onChat: () => void;
}

/** The pages that the user may read, one click from every page. */
export function Rail({ isFolded, onFold, isChatOpen, onChat }: RailProps) {
  const words = usePhrases(shellPhrases);
  const me = useMe();
  const badges = useBadges();
  const seen = NAV_ITEMS.filter(({ needs }) => meets(me, needs));
  const groups = [...new Set(seen.map(({ group }) => group))];
  return (
    <nav className={isFolded ? "rail rail-folded" : "rail"} aria-label={words.rail}>
      <Link to="/" className="rail-product">
        <Mark />
        <span className="rail-name">{words.product}</span>
      </Link>
      {groups.map((group) => (
        <section key={group} aria-label={words.groups[group]}>
          {group !== "work" && <p className="rail-group">{words.groups[group]}</p>}
          <ul className="rail-places">
            {seen
              .filter((place) => place.group === group)
              .map((place) => (
                <RailPlace key={place.name} place={place} badge={badges[place.name]} />
              ))}
          </ul>
        </section>
      ))}
      <div className="rail-foot">
        <AccountMenu />
        <IconButton
          label={words.chat}
          keys={["\\"]}
          icon={<MessageSquareText size={16} />}
          aria-expanded={isChatOpen}
          onClick={onChat}
        />
        <IconButton
          label={isFolded ? words.unfoldRail : words.foldRail}
          keys={["["]}
          icon={isFolded ? <PanelLeftOpen size={16} /> : <PanelLeftClose size={16} />}
          onClick={onFold}
        />
      </div>
    </nav>
  );
}
