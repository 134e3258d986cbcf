const HOSTS = 400;
const USERS = 3000;
const PROGRAMS = 60;
const SESSIONS = 999_983;

/**
 * An event as machines of a Windows domain send it, about 700 bytes of JSON: a process start or a sign-in. Words,
 * hosts, users and paths have realistic frequencies; rules for both kinds of log source evaluate each event.
 */
function eventAt(n: number, at: string): Record<string, unknown> {
  const user = `user${(n * 7919) % USERS}`;
  const computer = `host${n % HOSTS}.example.test`;
  const program = `C:\\Program Files\\Vendor${n % 12}\\app${n % PROGRAMS}.exe`;
  const session = (n * 104_729) % SESSIONS;
  const common = { "@timestamp": at, Computer: computer, RecordNumber: n, User: `EXAMPLE\\${user}` };
  if (n % 3 === 0) {
    return {
      ...common,
      Channel: "Security",
      EventID: n % 9 === 0 ? 4625 : 4624,
      TargetUserName: user,
      LogonType: n % 10,
      IpAddress: `10.${n % 7}.${n % 250}.${n % 240}`,
      Message: `Logon ${n % 9 === 0 ? "FAILED" : "succeeded"} for ${user} on ${computer} by session ${session}`,
    };
  }
  return {
    ...common,
    Channel: "Microsoft-Windows-Sysmon/Operational",
    EventID: 1,
    Image: program,
    CommandLine: `"${program}" --profile ${user} --session ${session} --log C:\\ProgramData\\Vendor${n % 12}\\run.log`,
    ParentImage: "C:\\Windows\\explorer.exe",
    ParentCommandLine: "C:\\Windows\\explorer.exe /factory",
    OriginalFileName: `app${n % PROGRAMS}.exe`,
    Hashes: `SHA256=${session.toString(16).padStart(64, "0")}`,
    IntegrityLevel: "Medium",
    ProcessId: n % 30_000,
    Message: `Process Create: ${program} by ${user} on ${computer} in session ${session}`,
  };
}

export function buildLines(first: number, count: number, at: string): string {
  return Array.from({ length: count }, (_, place) => JSON.stringify(eventAt(first + place, at))).join("\n");
}

/**
 * Prebuilt batches that are sent repeatedly, each time with another timestamp. In production, senders are other
 * machines, so building batches must not use the CPU of the measured machine.
 */
export function createBatches(batches: number, size: number): (batch: number, at: string) => Uint8Array<ArrayBuffer> {
  const before = new Date(0).toISOString();
  const made = Array.from({ length: batches }, (_, batch) => {
    const bytes = Buffer.from(buildLines(batch * size, size, before));
    const places: number[] = [];
    for (let place = bytes.indexOf(before); place >= 0; place = bytes.indexOf(before, place + 1)) places.push(place);
    return { bytes, places };
  });
  return (batch, at) => {
    const { bytes, places } = made[batch % batches] ?? { bytes: Buffer.alloc(0), places: [] };
    for (const place of places) bytes.write(at, place, "latin1");
    return bytes;
  };
}
