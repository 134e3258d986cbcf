/** Counts the tones of a WAV file, in groups that a pause of a second divides. */
export function countTones(wav: Buffer): number[] {
  const rate = wav.readUInt32LE(24);
  const groups: number[] = [];
  let lastLoud = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < (wav.length - 44) / 2; index += 1) {
    if (Math.abs(wav.readInt16LE(44 + index * 2)) < 3000) continue;
    const quietS = (index - lastLoud) / rate;
    if (quietS > 1) groups.push(1);
    else if (quietS > 0.1) groups.push((groups.pop() ?? 0) + 1);
    lastLoud = index;
  }
  return groups;
}
