import { usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { Icon, type IconName } from "../../design/icons.tsx";
import { Link, PageTitle } from "../../design/layout.tsx";

const PLACES = [
  { name: "radio", icon: "radio" },
  { name: "favorites", icon: "heart" },
  { name: "schedules", icon: "clock" },
  { name: "cards", icon: "card" },
  { name: "uploads", icon: "upload" },
  { name: "settings", icon: "settings" },
  { name: "simple", icon: "person" },
] as const satisfies readonly { name: string; icon: IconName }[];

export function MorePage() {
  const phrases = usePhrases(commonPhrases);
  return (
    <>
      <PageTitle>{phrases.more}</PageTitle>
      <ul class="tiles">
        {PLACES.map(({ name, icon }) => (
          <li key={name}>
            <Link to={`/${name}`} class="tile">
              <Icon name={icon} />
              <span>{phrases[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
