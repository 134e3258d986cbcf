import { useApp, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { Icon, type IconName } from "../design/icons.tsx";
import { Link } from "../design/layout.tsx";
import { shellPhrases } from "./shell-phrases.ts";

interface Tab {
  name:
    | "now"
    | "library"
    | "hifz"
    | "prayer"
    | "more"
    | "radio"
    | "favorites"
    | "schedules"
    | "cards"
    | "settings"
    | "simple";
  to: string;
  icon: IconName;
  /** Other pages that belong to it. */
  below?: readonly string[];
  /** A phone has room for five; a wide page shows all of them instead of `more`. */
  only?: "narrow" | "wide";
}

const TABS: readonly Tab[] = [
  { name: "now", to: "/", icon: "play" },
  { name: "library", to: "/library", icon: "book" },
  { name: "hifz", to: "/hifz", icon: "repeat" },
  { name: "prayer", to: "/prayer", icon: "prayer" },
  {
    name: "more",
    to: "/more",
    icon: "more",
    below: ["/radio", "/favorites", "/schedules", "/cards", "/settings"],
    only: "narrow",
  },
  { name: "radio", to: "/radio", icon: "radio", only: "wide" },
  { name: "favorites", to: "/favorites", icon: "heart", only: "wide" },
  { name: "schedules", to: "/schedules", icon: "clock", only: "wide" },
  { name: "cards", to: "/cards", icon: "card", only: "wide" },
  { name: "settings", to: "/settings", icon: "settings", only: "wide" },
  { name: "simple", to: "/simple", icon: "person", only: "wide" },
];

function isBelow(path: string, parent: string): boolean {
  return path === parent || (parent !== "/" && path.startsWith(`${parent}/`));
}

export function NavigationBar() {
  const { navigation } = useApp();
  const { navigation: label } = usePhrases(shellPhrases);
  const phrases = usePhrases(commonPhrases);
  const path = navigation.path.value;
  return (
    <nav class="tabs" aria-label={label}>
      {TABS.map(({ name, to, icon, below = [], only }) => (
        <Link
          key={name}
          to={to}
          class={only ? `tab tab-${only}` : "tab"}
          isCurrent={[to, ...below].some((parent) => isBelow(path, parent))}
        >
          <Icon name={icon} />
          <span>{phrases[name]}</span>
        </Link>
      ))}
    </nav>
  );
}
