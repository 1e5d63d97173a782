import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { allSettings } from "../../src/config/Configuration.ts"
import { VERSION } from "../../src/version.ts"
import { compile } from "../../web/compile.ts"
import { archive } from "../../web/release/archive.ts"
import { companions } from "../../web/release/contents.ts"
import { fakePages, fakeTelegram } from "../support/fakes.ts"
import { CHAT, freePort, until, update } from "../support/service.ts"
import { HERE, newFolder } from "./harness.ts"

/** The settings that the owner types, beside the code from the log and a new password. */
const SETTINGS = ["the bot's token", "the code that the bot sends"]

/** The goals: three minutes, at most two commands, at most two settings. */
const GOAL = { seconds: 180, commands: 2, settings: 2 }

type Environment = Readonly<Record<string, string>>

/** A way to install the program: what its owner types, with the command that does it; the last one keeps running. */
interface Way {
  readonly name: string
  readonly folder: string
  /** The environment of this way; the port and the fakes come on top. */
  readonly environment: Environment
  readonly steps: ReadonlyArray<readonly [typed: string, command: ReadonlyArray<string>, folder?: string]>
}

/** A browser that keeps its cookies. */
const openBrowser = (base: string) => {
  const cookies = new Map<string, string>()
  return async (method: string, path: string, body?: unknown) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      headers: { origin: base, cookie, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
}

/** Starts a command in a process group of its own; `said` is what it has printed, as its owner sees it. */
const spawn = (command: ReadonlyArray<string>, cwd: string, environment: Environment) => {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...environment },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let text = ""
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true })
  }
  const ended = Promise.all([read(child.stdout), read(child.stderr), child.exited])
  return { child, ended, said: () => text }
}

/** Installs and starts the program one way, does what its owner does, and returns the seconds to each point. */
const live = async ({ environment, folder, steps }: Way): Promise<Readonly<Record<string, number>>> => {
  const [telegram, pages, port] = [fakeTelegram(), fakePages(), await freePort()]
  const base = `http://127.0.0.1:${port}`
  const fakes = { TELEGRAM_API_URL: telegram.url, FETCH_ALLOW: `127.0.0.1:${pages.port}` }
  const all = { ...environment, PORT: String(port), ...fakes }
  const reached: Record<string, number> = {}
  const began = performance.now()
  const note = (what: string) => {
    reached[what] = (performance.now() - began) / 1_000
  }
  for (const [typed, command, where] of steps.slice(0, -1)) {
    const { ended, said } = spawn(command, where ?? folder, all)
    if ((await ended)[2] !== 0) throw new Error(`${typed} failed:\n${said()}`)
  }
  note("installed")
  const [, serve = [], where] = steps.at(-1) ?? []
  const { child, ended, said } = spawn(serve, where ?? folder, all)
  try {
    const [code] = await until(() => {
      if (child.exitCode !== null) throw new Error("the service ended")
      return /\b[A-Z0-9]{5}-[A-Z0-9]{5}\b/.exec(said())
    }, 170)
    note("started")
    const ask = openBrowser(base)
    await ask("POST", "/signin/api/code", { code })
    await ask("PUT", "/signin/api/password", { password: "correct horse battery" })
    note("signed in")
    await ask("POST", "/dashboard/api/setup/bot", { token: "123456:a-bot-token" })
    telegram.send(update("hello", {}, CHAT))
    const claim = await until(
      () => telegram.texts().flatMap((text) => /\b\d{3} ?\d{3}\b/.exec(text) ?? [])[0]
    )
    await ask("POST", "/dashboard/api/setup/chat", { code: claim.replace(" ", "") })
    note("bot connected")
    const link = `${pages.url}/plain?t=The+first+link`
    telegram.send(update(link, {}, CHAT))
    await until(async () => {
      const { links }: { links: ReadonlyArray<{ url: string; title: string }> } = await (
        await ask("GET", "/dashboard/api/links")
      ).json()
      return links.some(({ title, url }) => url === link && title === "The first link")
    })
    note("link seen")
    if (telegram.problems.length > 0) throw new Error(telegram.problems.join("\n"))
  } catch (error) {
    console.log(said())
    throw error
  } finally {
    // The whole group: npx does not pass the signal on.
    if (child.exitCode === null) process.kill(-child.pid, "SIGTERM")
    await ended
    await Promise.all([telegram.stop(), pages.stop()])
  }
  return reached
}

/** Serves a release of this machine's program, as `bun run release` makes it. */
const serveRelease = async (program: string) => {
  const folder = `linkbower-${VERSION}-${process.platform}-${process.arch}`
  const binary = { path: "linkbower", bytes: readFileSync(program), executable: true }
  const files = [binary, ...(await companions([program]))]
  const packed = archive(files.map((file) => ({ ...file, path: `${folder}/${file.path}` })))
  const sums = `${new Bun.CryptoHasher("sha256").update(packed).digest("hex")}  ${folder}.tar.gz\n`
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      if (url.endsWith("/SHA256SUMS")) return new Response(sums)
      if (url.endsWith(`/${folder}.tar.gz`)) return new Response(Buffer.from(packed))
      return new Response("", { status: 404 })
    }
  })
}

/** The program, installed by the installer for a user and started in a folder. */
const byBinary = (releases: string): Way => {
  const folder = newFolder("hour")
  const install = `sh < '${join(HERE, "install.sh")}' -s -- --to '${folder}/bin'`
  return {
    name: "binary",
    folder,
    environment: { HOME: folder, LINKBOWER_RELEASES: releases },
    steps: [
      ["curl -fsSL …/install.sh | sh", ["sh", "-c", install]],
      ["linkbower serve", [join(folder, "bin/linkbower"), "serve"]]
    ]
  }
}

/** A value of the image from the Dockerfile; throws if there is none. */
const fromImage = (instruction: string): string => {
  const lines = readFileSync(join(HERE, "Dockerfile"), "utf8").split("\nFROM ").at(-1)?.split("\n") ?? []
  const line = lines.find((one) => one.startsWith(`${instruction} `))
  if (line === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return line.slice(instruction.length + 1)
}

/**
 * The container without a daemon: the image's files in a folder that is the program's root, with nothing but the C
 * library, and the image's user, environment, folder and command. Needs root, as a container's daemon does.
 */
const byContainer = (program: string): Way => {
  const root = newFolder("hour")
  chmodSync(root, 0o755)
  const place = (path: string, from: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(from, join(root, path))
  }
  place("/usr/local/bin/linkbower", program)
  const libraries = Bun.spawnSync(["ldd", program]).stdout.toString()
  for (const [, path = ""] of libraries.matchAll(/(\/\S+\.so\S*) \(/g)) place(path, path)
  for (const folder of ["tmp", "data", "proc", "dev"]) mkdirSync(join(root, folder), { recursive: true })
  const [user = 0, group = 0] = fromImage("USER").split(":").map(Number)
  chmodSync(join(root, "tmp"), 0o1777)
  chmodSync(join(root, "data"), 0o700)
  chownSync(join(root, "data"), user, group)
  const variables = fromImage("ENV").matchAll(/([^ =]+)=(\S*)/g)
  // Mounts in a namespace of its own, so that they end with the process.
  const script = `mount --rbind /proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot --userspec=${user}:${group} "$0" "$@"`
  const command = [...JSON.parse(fromImage("ENTRYPOINT")), ...JSON.parse(fromImage("CMD"))]
  return {
    name: "container",
    folder: "/",
    environment: {
      ...Object.fromEntries(variables.map(([, name = "", value = ""]) => [name, value])),
      PATH: `/usr/local/bin:${process.env["PATH"]}`
    },
    steps: [
      [
        "docker run -p 127.0.0.1:8787:8787 -v linkbower:/data IMAGE",
        ["unshare", "--mount", "sh", "-ec", script, root, ...command]
      ]
    ]
  }
}

/** The source: a clone of this checkout's last commit, with nothing in the caches of npm and Bun. */
const bySource = (): Way => {
  const folder = newFolder("hour")
  const settings = new Set(allSettings.map(({ name }) => name))
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || settings.has(name) ? [] : [[name, value] as const]
  )
  const caches = { npm_config_cache: join(folder, "npm"), BUN_INSTALL_CACHE_DIR: join(folder, "bun") }
  const serve = ["npx", "--yes", "bun@1.4.5", "run", "start"]
  return {
    name: "source",
    folder,
    // This process's environment has npm's own configuration.
    environment: { ...Object.fromEntries(own), ...caches },
    steps: [
      ["git clone …", ["git", "clone", "--quiet", "--depth", "1", `file://${HERE}`, "linkbower"]],
      [serve.join(" "), serve, join(folder, "linkbower")]
    ]
  }
}

/**
 * The first hour: from nothing to a link that was sent by chat and is seen in the dashboard, against a fake Telegram that
 * has no webhook. Installs the program in each way that the documentation names, in folders of its own, types what its
 * owner types, and prints how long that took and how much it was.
 */
export const firstHour = async () => {
  const program = await compile({ path: join(newFolder("hour"), "linkbower") })
  const releases = await serveRelease(program)
  const isContainable = process.platform === "linux" && process.getuid?.() === 0
  if (!isContainable) console.log("The container's file layout needs root on Linux: left out.")
  const ways = [byBinary(`http://127.0.0.1:${releases.port}`)]
  if (isContainable) ways.push(byContainer(program))
  for (const way of [...ways, bySource()]) {
    const reached = await live(way)
    const seconds = Math.max(...Object.values(reached))
    const isReached =
      seconds <= GOAL.seconds && way.steps.length <= GOAL.commands && SETTINGS.length <= GOAL.settings
    console.log(
      `${way.name}: ${seconds.toFixed(1)} s, ${way.steps.length} commands, ${SETTINGS.length} settings: ${isReached ? "as promised" : "MORE THAN PROMISED"}`
    )
    for (const [what, at] of Object.entries(reached)) console.log(`  ${at.toFixed(1).padStart(6)} s  ${what}`)
    for (const [typed] of way.steps) console.log(`  $ ${typed}`)
  }
  console.log(`settings typed: ${SETTINGS.join(", ")}`)
  await releases.stop(true)
}

if (import.meta.main) {
  await firstHour()
  process.exit()
}
