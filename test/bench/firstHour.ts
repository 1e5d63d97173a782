/**
 * Measures the first hour: from nothing to a link that was sent by chat and is seen in the dashboard, against a fake
 * Telegram that has no webhook. `bun run bench firstHour` installs the program in each way that the documentation names,
 * in folders of its own, types what its owner types, and prints how long that took and how much it was.
 */
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { allSettings } from "../../src/config/Configuration.ts"
import { VERSION } from "../../src/version.ts"
import { compile } from "../../web/compile.ts"
import { archive } from "../../web/release/archive.ts"
import { companions } from "../../web/release/contents.ts"
import { fakePages, fakeTelegram } from "../support/fakes.ts"
import { freePort, until, update } from "../support/service.ts"

const ROOT = resolve(import.meta.dir, "../..")
const CHAT = 4242
const PASSWORD = "correct horse battery"
const BOT_TOKEN = "123456:a-bot-token"

/** The settings that the owner types, beside the code from the log and a new password. */
const SETTINGS = ["the bot's token", "the code that the bot sends"]

/** The goals: three minutes, at most two commands, at most two settings. */
const GOAL = { seconds: 180, commands: 2, settings: 2 }

/** A command of the owner, as it is documented; `serves` is the one that keeps running. */
interface Step {
  readonly typed: string
  readonly run: (environment: Readonly<Record<string, string>>) => Bun.Subprocess
  readonly serves?: boolean
}

interface Way {
  readonly name: string
  readonly steps: ReadonlyArray<Step>
  /** The environment of this way; the port and the fakes come on top. */
  readonly environment: Readonly<Record<string, string>>
}

const folders: Array<string> = []
const newFolder = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `linkbower-hour-${name}-`))
  folders.push(folder)
  return folder
}

/** A browser that keeps its cookies. */
const openBrowser = (base: string) => {
  const cookies = new Map<string, string>()
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(base + path, {
      method,
      redirect: "manual",
      headers: {
        origin: base,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  return {
    post: (path: string, body: unknown) => ask("POST", path, body),
    put: (path: string, body: unknown) => ask("PUT", path, body),
    get: async (path: string) => (await ask("GET", path)).json()
  }
}

/** Collects what a process prints, as its owner sees it. */
const watchOutput = (process: Bun.Subprocess) => {
  let text = ""
  const read = async (stream: unknown) => {
    if (!(stream instanceof ReadableStream)) return
    const decoder = new TextDecoder()
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true })
  }
  const ended = Promise.all([read(process.stdout), read(process.stderr)])
  return { text: () => text, ended }
}

/** Installs and starts the program one way, does what its owner does, and returns the figures. */
const live = async ({ environment, name, steps }: Way) => {
  const telegram = fakeTelegram()
  const pages = fakePages()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const all = {
    ...environment,
    PORT: String(port),
    TELEGRAM_API_URL: telegram.url,
    FETCH_ALLOW: `127.0.0.1:${pages.port}`
  }
  const running: Array<Bun.Subprocess> = []
  let output = () => ""
  const began = performance.now()
  const since = () => (performance.now() - began) / 1_000
  const reached: Record<string, number> = {}
  try {
    for (const step of steps) {
      const child = step.run(all)
      const watched = watchOutput(child)
      if (step.serves === true) {
        running.push(child)
        output = watched.text
      } else if ((await child.exited) !== 0) {
        await watched.ended
        throw new Error(`${step.typed} failed:\n${watched.text()}`)
      }
    }
    reached["installed"] = since()
    const [code] = await until(() => {
      const [child] = running
      if (child?.exitCode != null) throw new Error(`the service ended:\n${output()}`)
      return /\b[A-Z0-9]{5}-[A-Z0-9]{5}\b/.exec(output())
    }, 170)
    reached["started"] = since()

    const browser = openBrowser(base)
    await browser.post("/signin/api/code", { code })
    await browser.put("/signin/api/password", { password: PASSWORD })
    reached["signed in"] = since()

    await browser.post("/dashboard/api/setup/bot", { token: BOT_TOKEN })
    telegram.send(update("hello", {}, CHAT))
    const claim = await until(
      () => telegram.texts().flatMap((text) => /\b\d{3} ?\d{3}\b/.exec(text) ?? [])[0],
      60
    )
    await browser.post("/dashboard/api/setup/chat", { code: claim.replace(" ", "") })
    reached["bot connected"] = since()

    const link = `${pages.url}/plain?t=The+first+link`
    telegram.send(update(link, {}, CHAT))
    await until(async () => {
      const { links } = await browser.get("/dashboard/api/links")
      return Array.isArray(links) && links.some((one) => one.url === link && one.title === "The first link")
    }, 60)
    reached["link seen"] = since()
    if (telegram.problems.length > 0) throw new Error(telegram.problems.join("\n"))
  } catch (error) {
    console.log(output())
    throw error
  } finally {
    for (const child of running) {
      // The whole group: npx does not pass the signal on.
      if (child.exitCode === null) process.kill(-child.pid, "SIGTERM")
      await child.exited
    }
    await Promise.all([telegram.stop(), pages.stop()])
  }
  return { name, seconds: since(), reached, commands: steps.map(({ typed }) => typed) }
}

const spawn = (
  command: ReadonlyArray<string>,
  cwd: string,
  environment: Readonly<Record<string, string>>
): Bun.Subprocess =>
  Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...environment },
    detached: true,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })

/** A release of this machine's program, as `bun run release` makes it, on a server. */
const serveRelease = async (program: string) => {
  const target = `${process.platform}-${process.arch}`
  const folder = `linkbower-${VERSION}-${target}`
  const packed = archive(
    [
      { path: "linkbower", bytes: readFileSync(program), executable: true },
      ...(await companions([program]))
    ].map((file) => ({ ...file, path: `${folder}/${file.path}` }))
  )
  const sums = `${new Bun.CryptoHasher("sha256").update(packed).digest("hex")}  ${folder}.tar.gz\n`
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      if (url.endsWith("/SHA256SUMS")) return new Response(sums)
      return url.endsWith(`/${folder}.tar.gz`)
        ? new Response(Buffer.from(packed))
        : new Response("", { status: 404 })
    }
  })
}

/** The program, installed by the installer for a user and started in a folder. */
const byBinary = (releases: string): Way => {
  const home = newFolder("binary")
  return {
    name: "binary",
    environment: { HOME: home, LINKBOWER_RELEASES: releases },
    steps: [
      {
        typed: "curl -fsSL …/install.sh | sh",
        run: (environment) =>
          spawn(
            ["sh", "-c", `sh < '${join(ROOT, "install.sh")}' -s -- --to '${home}/bin'`],
            home,
            environment
          )
      },
      {
        typed: "linkbower serve",
        serves: true,
        run: (environment) => spawn([join(home, "bin/linkbower"), "serve"], home, environment)
      }
    ]
  }
}

/** A value of the image from the Dockerfile; throws if there is none. */
const fromImage = (instruction: string): string => {
  const lines = readFileSync(join(ROOT, "Dockerfile"), "utf8").split("\nFROM ").at(-1)?.split("\n") ?? []
  const line = lines.find((one) => one.startsWith(`${instruction} `))
  if (line === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return line.slice(instruction.length + 1)
}

/** The libraries that a program loads, by their paths. */
const librariesOf = (program: string) =>
  [
    ...Bun.spawnSync(["ldd", program])
      .stdout.toString()
      .matchAll(/(\/\S+\.so\S*) \(/g)
  ].map(([, path = ""]) => path)

/**
 * The container without a daemon: the image's files in a folder that is the program's root, with nothing but the C
 * library, and the image's user, environment, folder and command. Needs root, as a container's daemon does.
 */
const byContainer = (program: string): Way => {
  const root = newFolder("container")
  chmodSync(root, 0o755)
  const place = (path: string, from: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(from, join(root, path))
  }
  place("/usr/local/bin/linkbower", program)
  for (const library of librariesOf(program)) place(library, library)
  for (const folder of ["tmp", "data", "proc", "dev"]) mkdirSync(join(root, folder), { recursive: true })
  const [user, group] = fromImage("USER").split(":").map(Number)
  chmodSync(join(root, "tmp"), 0o1777)
  chmodSync(join(root, "data"), 0o700)
  chownSync(join(root, "data"), user ?? 0, group ?? 0)
  const command: ReadonlyArray<string> = [
    ...JSON.parse(fromImage("ENTRYPOINT")),
    ...JSON.parse(fromImage("CMD"))
  ]
  const environment = Object.fromEntries(
    fromImage("ENV")
      .split(" ")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)])
  )
  return {
    name: "container",
    environment: { ...environment, PATH: `/usr/local/bin:${process.env["PATH"]}` },
    steps: [
      {
        typed: "docker run -p 127.0.0.1:8787:8787 -v linkbower:/data IMAGE",
        serves: true,
        // Mounts in a namespace of its own, so that they end with the process.
        run: (more) =>
          spawn(
            [
              ...["unshare", "--mount", "sh", "-ec"],
              `mount --rbind /proc "$0/proc"; mount --rbind /dev "$0/dev"; exec chroot --userspec=${user}:${group} "$0" "$@"`,
              root,
              ...command
            ],
            "/",
            more
          )
      }
    ]
  }
}

/** This process's environment without settings of Linkbower, for npm's own configuration. */
const ownEnvironment = () => {
  const settings = new Set(allSettings.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || settings.has(name) ? [] : [[name, value]]
    )
  )
}

/** The source: a clone of this checkout's last commit, with nothing in the caches of npm and Bun. */
const bySource = (): Way => {
  const folder = newFolder("source")
  return {
    name: "source",
    environment: {
      ...ownEnvironment(),
      npm_config_cache: join(folder, "npm"),
      BUN_INSTALL_CACHE_DIR: join(folder, "bun")
    },
    steps: [
      {
        typed: "git clone …",
        run: (environment) =>
          spawn(
            ["git", "clone", "--quiet", "--depth", "1", `file://${ROOT}`, "linkbower"],
            folder,
            environment
          )
      },
      {
        typed: "npx --yes bun@1.4.5 run start",
        serves: true,
        run: (environment) =>
          spawn(["npx", "--yes", "bun@1.4.5", "run", "start"], join(folder, "linkbower"), environment)
      }
    ]
  }
}

const isContainable = process.platform === "linux" && process.getuid?.() === 0

/** Measures every way that this machine can try. */
export const firstHour = async () => {
  const program = await compile({ path: join(newFolder("build"), "linkbower") })
  const releases = await serveRelease(program)
  try {
    const ways = [
      byBinary(`http://127.0.0.1:${releases.port}`),
      ...(isContainable ? [byContainer(program)] : []),
      bySource()
    ]
    if (!isContainable) console.log("The container's file layout needs root on Linux: left out.")
    for (const way of ways) {
      const { commands, name, reached, seconds } = await live(way)
      const isReached =
        seconds <= GOAL.seconds && commands.length <= GOAL.commands && SETTINGS.length <= GOAL.settings
      console.log(
        `${name}: ${seconds.toFixed(1)} s, ${commands.length} commands, ${SETTINGS.length} settings: ${isReached ? "as promised" : "MORE THAN PROMISED"}`
      )
      for (const [what, at] of Object.entries(reached))
        console.log(`  ${at.toFixed(1).padStart(6)} s  ${what}`)
      for (const command of commands) console.log(`  $ ${command}`)
    }
    console.log(`settings typed: ${SETTINGS.join(", ")}`)
  } finally {
    await releases.stop(true)
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await firstHour()
  process.exit()
}
