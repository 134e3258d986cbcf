import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProcess } from "@kit/testing/process";

export interface Icecast {
  port: number;
  password: string;
  stop(): Promise<void>;
}

export interface Source {
  /** The URL at which listeners connect. */
  url: string;
  /** Sets the title that listeners receive. */
  setTitle(title: string): Promise<void>;
  stop(): Promise<void>;
}

interface SourceOptions {
  icecast: Pick<Icecast, "port" | "password">;
  /** Starts with a slash. */
  mount: string;
  title?: string;
}

const PASSWORD = "only-for-tests";
// Icecast refuses to run as root.
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };

/** A real Icecast on a free loopback port. */
export async function startIcecast(): Promise<Icecast> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "icecast-"));
  await chmod(folder, 0o755);
  const config = join(folder, "icecast.xml");
  await writeFile(config, buildConfig(port, folder));
  const server = await startProcess({
    command: "icecast2",
    args: ["-c", config],
    readyWhen: /server started/,
    ...(process.getuid?.() === 0 && { user: UNPRIVILEGED }),
  });
  return {
    port,
    password: PASSWORD,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** A tone in MP3, 128 kbit/s, sent to an Icecast in real time. */
export async function startSource({ icecast: { port, password }, mount, title }: SourceOptions): Promise<Source> {
  const encoder = await startProcess({
    command: "ffmpeg",
    args: [
      ...["-nostdin", "-re", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100"],
      ...["-c:a", "libmp3lame", "-b:a", "128k", "-content_type", "audio/mpeg", "-f", "mp3"],
      `icecast://source:${password}@127.0.0.1:${port}${mount}`,
    ],
    readyWhen: /size= +[1-9]/,
  });
  const source: Source = {
    url: `http://127.0.0.1:${port}${mount}`,
    async setTitle(song) {
      const query = new URLSearchParams({ mount, mode: "updinfo", song, charset: "UTF-8" });
      const authorization = `Basic ${Buffer.from(`source:${password}`).toString("base64")}`;
      const answer = await fetch(`http://127.0.0.1:${port}/admin/metadata?${query}`, { headers: { authorization } });
      if (!answer.ok) throw new Error(`icecast refused the title: ${answer.status}`);
    },
    async stop() {
      await encoder.stop("SIGKILL");
    },
  };
  if (title !== undefined) await source.setTitle(title);
  return source;
}

function buildConfig(port: number, folder: string): string {
  return `<icecast>
  <authentication><source-password>${PASSWORD}</source-password></authentication>
  <hostname>localhost</hostname>
  <listen-socket><port>${port}</port><bind-address>127.0.0.1</bind-address></listen-socket>
  <mount type="default"><charset>UTF-8</charset></mount>
  <paths>
    <basedir>${folder}</basedir><logdir>${folder}</logdir>
    <webroot>/usr/share/icecast2/web</webroot><adminroot>/usr/share/icecast2/admin</adminroot>
  </paths>
  <logging><accesslog>-</accesslog><errorlog>-</errorlog><loglevel>3</loglevel></logging>
</icecast>`;
}
