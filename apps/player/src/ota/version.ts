interface Version {
  numbers: readonly number[];
  preRelease: readonly string[];
}

const VERSION = /^v?(\d{1,9}(?:\.\d{1,9})*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Compares as semver.org, section 11, defines; undefined when one of them is not a version. */
export function isOlder(version: string, than: string): boolean | undefined {
  const one = parse(version);
  const other = parse(than);
  return one && other && compare(one, other) < 0;
}

function parse(text: string): Version | undefined {
  const [, numbers, preRelease] = VERSION.exec(text) ?? [];
  if (numbers === undefined) return undefined;
  return { numbers: numbers.split(".").map(Number), preRelease: preRelease?.split(".") ?? [] };
}

function compare(one: Version, other: Version): number {
  const places = Math.max(one.numbers.length, other.numbers.length);
  for (let place = 0; place < places; place += 1) {
    const difference = (one.numbers[place] ?? 0) - (other.numbers[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(one.preRelease, other.preRelease);
}

/** A release comes after all its pre-releases; of two pre-releases with equal parts, the longer one comes later. */
function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [place, part] of one.entries()) {
    const against = other[place];
    if (against === undefined) return 1;
    const difference = compareParts(part, against);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const NUMBER = /^\d+$/;

function compareParts(one: string, other: string): number {
  if (NUMBER.test(one) && NUMBER.test(other)) return Number(one) - Number(other);
  if (NUMBER.test(one) !== NUMBER.test(other)) return NUMBER.test(one) ? -1 : 1;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
