/**
 * Stroke icons on a 24 by 24 grid. `solid` ones are filled; those with `turns` are mirrored in right-to-left text, but not
 * those of playback: a tape runs from left to right everywhere.
 */
const PATHS = {
  play: { d: "M8 5.5v13l11-6.5z", solid: true },
  pause: { d: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z", solid: true },
  stop: { d: "M6.5 6.5h11v11h-11z", solid: true },
  next: { d: "M6 6v12l8.5-6zM16 6h2.4v12H16z", solid: true },
  previous: { d: "M18 6v12l-8.5-6zM5.6 6H8v12H5.6z", solid: true },
  book: { d: "M12 6.5C10 5 7 4.6 4 5v13c3-.4 6 0 8 1.5 2-1.5 5-1.9 8-1.5V5c-3-.4-6 0-8 1.5zM12 6.5v13" },
  repeat: { d: "M5 11V9.5A3.5 3.5 0 0 1 8.5 6H19m-3-3 3 3-3 3M19 13v1.5a3.5 3.5 0 0 1-3.5 3.5H5m3 3-3-3 3-3" },
  prayer: { d: "M12 3v2M5 20v-7c0-3 3-4 7-7 4 3 7 4 7 7v7M3 20h18M9.5 20v-3.5a2.5 2.5 0 0 1 5 0V20" },
  more: { d: "M5 12h.01M12 12h.01M19 12h.01", thick: true },
  radio: { d: "M4 10h16v10H4zM7 10l9-6M8.5 15h.01M13 14h4M13 17h4" },
  heart: { d: "M12 20s-7.5-4.5-7.5-10A4.2 4.2 0 0 1 12 7.5 4.2 4.2 0 0 1 19.5 10c0 5.5-7.5 10-7.5 10z" },
  heartFull: {
    d: "M12 20s-7.5-4.5-7.5-10A4.2 4.2 0 0 1 12 7.5 4.2 4.2 0 0 1 19.5 10c0 5.5-7.5 10-7.5 10z",
    solid: true,
  },
  clock: { d: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4.5l3 2" },
  card: { d: "M4 6.5h16v11H4zM4 10h16M7 14h4" },
  settings: { d: "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4" },
  volume: { d: "M4 10v4h3l4 3.5v-11L7 10zM14.5 9a4 4 0 0 1 0 6M17 6.5a7.5 7.5 0 0 1 0 11" },
  lock: { d: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" },
  unlock: { d: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 6.8-1" },
  search: { d: "M10.5 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM15 15l4.5 4.5" },
  plus: { d: "M12 5v14M5 12h14" },
  minus: { d: "M5 12h14" },
  close: { d: "M6 6l12 12M18 6 6 18" },
  check: { d: "M5 12.5 10 17 19 7" },
  bin: { d: "M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5" },
  back: { d: "M15 5l-7 7 7 7", turns: true },
  down: { d: "M6 9.5l6 6 6-6" },
  forward: { d: "M9 5l7 7-7 7", turns: true },
  wifi: { d: "M3.5 9.5a12 12 0 0 1 17 0M6.5 13a8 8 0 0 1 11 0M9.5 16.3a4 4 0 0 1 5 0M12 19.5h.01" },
  sun: {
    d: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4",
  },
  moon: { d: "M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z" },
  globe: {
    d: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c2.5 2.5 3.5 5 3.5 8s-1 5.5-3.5 8c-2.5-2.5-3.5-5-3.5-8s1-5.5 3.5-8z",
  },
  download: { d: "M12 4v11M8 11.5l4 4 4-4M5 19.5h14" },
  upload: { d: "M12 15.5v-11M8 8l4-4 4 4M5 19.5h14" },
  compass: { d: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM15 9l-2 4-4 2 2-4z" },
  print: { d: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z" },
  warning: { d: "M12 4.5 21 19.5H3zM12 10.5v4M12 17h.01" },
  person: { d: "M12 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 20c.5-4 3-5.5 7-5.5s6.5 1.5 7 5.5" },
  power: { d: "M12 4v8M7.5 6.5a7 7 0 1 0 9 0" },
  screen: { d: "M4 5h16v11H4zM9 20h6M12 16v4" },
  edit: { d: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3" },
  folder: { d: "M4 18.5v-12h5.5l2 2.5H20v9.5z" },
  battery: { d: "M4 8h14v9H4zM21 11v3M7 11v3M10.5 11v3" },
  phone: { d: "M7.5 3.5h9v17h-9zM11 17.5h2" },
  archive: { d: "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4" },
} as const;

export type IconName = keyof typeof PATHS;

interface IconShape {
  d: string;
  solid?: boolean;
  turns?: boolean;
  thick?: boolean;
}

export function Icon({ name }: { name: IconName }) {
  const { d, solid, turns, thick }: IconShape = PATHS[name];
  const classes = ["icon", solid && "icon-solid", turns && "icon-turns", thick && "icon-thick"].filter(Boolean);
  return (
    <svg class={classes.join(" ")} viewBox="0 0 24 24" aria-hidden="true">
      <path d={d} />
    </svg>
  );
}
