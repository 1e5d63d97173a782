import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { archive } from "../../../web/release/archive.ts"
import { installer } from "../../../web/release/installer.ts"

const ROOT = resolve(import.meta.dir, "../../..")
const SCRIPT = readFileSync(join(ROOT, "install.sh"), "utf8")
const DEPLOY = join(ROOT, "web/docs/deploy")
const VERSION = "1.2.3"

/** A program that says its version. */
const program = (version: string) => `#!/bin/sh\necho "linkbower ${version}"\n`

const packed = (target: string, { version = VERSION, main = program(version) } = {}) =>
  archive(
    [
      { path: "linkbower", bytes: Buffer.from(main), executable: true },
      ...readdirSync(DEPLOY).map((name) => ({
        path: `deploy/${name}`,
        bytes: readFileSync(join(DEPLOY, name))
      }))
    ].map((file) => ({ ...file, path: `linkbower-${version}-${target}/${file.path}` }))
  )

const nameOf = (target: string, version = VERSION) => `linkbower-${version}-${target}.tar.gz`
const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const TARGETS = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl", "darwin-arm64"]

/** What the server of releases has; a test changes it. */
const files = new Map<string, Uint8Array>()
/** The paths that are cut in half, after a header that promises the whole. */
const cut = new Set<string>()
const asked: Array<string> = []

const publish = (version = VERSION, main?: string) => {
  const released = TARGETS.map((target) => ({
    name: nameOf(target, version),
    bytes: packed(target, { version, ...(main === undefined ? {} : { main }) })
  }))
  const sums = released.map(({ bytes, name }) => `${sumOf(bytes)}  ${name}\n`).join("")
  for (const place of [`/download/v${version}`, "/latest/download"]) {
    files.set(`${place}/SHA256SUMS`, Buffer.from(sums))
    for (const { bytes, name } of released) files.set(`${place}/${name}`, bytes)
  }
}

/** Answers from `files`, over plain sockets, because a server would not cut a response. */
const server = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data: (socket, request) => {
      const [, path = ""] = /^GET (\S+)/.exec(request.toString()) ?? []
      asked.push(path)
      const bytes = files.get(path)
      const status = bytes === undefined ? "404 Not Found" : "200 OK"
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${bytes?.length ?? 0}\r\nConnection: close\r\n\r\n`)
      if (bytes !== undefined) socket.write(cut.has(path) ? bytes.slice(0, bytes.length / 2) : bytes)
      socket.end()
    }
  }
})
const RELEASES = `http://127.0.0.1:${server.port}`

const folders: Array<string> = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-install-"))
  folders.push(folder)
  return folder
}
afterAll(() => {
  server.stop(true)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  files.clear()
  cut.clear()
  asked.length = 0
  publish()
})

const TOOLS =
  "awk cat chmod cp cut dirname gzip grep id ldd ls mkdir mktemp mv rm sed sh sha256sum tar uname wget env".split(
    " "
  )

interface Machine {
  /** The output of `uname -s` and `uname -m`. */
  readonly system?: readonly [string, string]
  readonly libc?: "glibc" | "musl"
  readonly user?: number
  readonly without?: ReadonlyArray<string>
}

/**
 * A machine whose tools are those of this one, with some in their place that say what the test wants and record how they
 * were called.
 */
const makeMachine = ({
  libc = "glibc",
  system = ["Linux", "x86_64"],
  user = 1000,
  without = []
}: Machine = {}) => {
  const home = newFolder()
  const tools = join(home, "tools")
  const calls = join(home, "calls")
  mkdirSync(tools)
  for (const tool of [...TOOLS, "curl"]) {
    const path = Bun.which(tool)
    if (path !== null && !without.includes(tool)) symlinkSync(path, join(tools, tool))
  }
  const put = (name: string, script: string) => {
    rmSync(join(tools, name), { force: true })
    writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(tools, name), 0o755)
  }
  put("uname", `[ "$1" = -s ] && echo ${system[0]} || echo ${system[1]}`)
  put("ldd", libc === "musl" ? "echo 'musl libc (x86_64)' >&2; exit 1" : "echo 'ldd (GNU libc) 2.41'")
  put("id", `case "$*" in -u) echo ${user} ;; "-u linkbower") exit 1 ;; *) echo ann ;; esac`)
  if (!without.includes("systemctl"))
    for (const name of ["systemctl", "useradd", "chown", "loginctl"])
      put(name, `echo "${name} $*" >> '${calls}'`)
  return {
    home,
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []),
    files: () =>
      [...new Bun.Glob("**").scanSync({ cwd: home, dot: true, onlyFiles: true })]
        .filter((path) => !path.startsWith("tools/") && path !== "calls")
        .sort(),
    run: async (args: ReadonlyArray<string> = [], script = SCRIPT, shell = "sh") => {
      const child = Bun.spawn([Bun.which(shell) ?? shell, "-s", "--", ...args], {
        env: {
          PATH: tools,
          HOME: home,
          TMPDIR: home,
          DESTDIR: user === 0 ? home : "",
          LINKBOWER_RELEASES: RELEASES
        },
        cwd: home,
        stdin: Buffer.from(script),
        stdout: "pipe",
        stderr: "pipe"
      })
      const [out, err] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text()
      ])
      return { code: await child.exited, out, err }
    }
  }
}

describe("the installer", () => {
  test("installs the latest release for a user, in one step, and leaves nothing else behind", async () => {
    const machine = makeMachine()
    const { code, err, out } = await machine.run()
    expect([code, err]).toEqual([0, ""])
    expect(out).toContain("Installed")
    expect(out).toContain("is not in your PATH")
    expect(machine.files()).toEqual([".local/bin/linkbower"])
    const installed = join(machine.home, ".local/bin/linkbower")
    expect(statSync(installed).mode & 0o777).toBe(0o755)
    expect(readFileSync(installed, "utf8")).toBe(program(VERSION))
    expect(asked).toEqual(["/latest/download/SHA256SUMS", `/download/v${VERSION}/${nameOf("linux-x64")}`])
    expect(machine.calls()).toEqual([])
  })

  test("replaces an older program, and takes another version or folder if asked", async () => {
    const machine = makeMachine()
    publish("0.9.0-rc.1")
    files.delete("/latest/download/SHA256SUMS")
    expect(await machine.run(["--version", "v0.9.0-rc.1", "--to", "bin"])).toMatchObject({ code: 0 })
    expect(readFileSync(join(machine.home, "bin/linkbower"), "utf8")).toBe(program("0.9.0-rc.1"))
    publish()
    expect(await machine.run([`--version=${VERSION}`, `--to=${machine.home}/bin`])).toMatchObject({ code: 0 })
    expect(readFileSync(join(machine.home, "bin/linkbower"), "utf8")).toBe(program(VERSION))
    expect(machine.files()).toEqual(["bin/linkbower"])
  })

  test.each([
    [{ system: ["Linux", "x86_64"] }, "linux-x64"],
    [{ system: ["Linux", "aarch64"] }, "linux-arm64"],
    [{ system: ["Linux", "x86_64"], libc: "musl" }, "linux-x64-musl"],
    [{ system: ["Linux", "aarch64"], libc: "musl" }, "linux-arm64-musl"],
    [{ system: ["Darwin", "arm64"] }, "darwin-arm64"]
  ] as const)("takes the file for %j", async (system, target) => {
    const machine = makeMachine(system)
    const { code, out } = await machine.run(["--dry-run"])
    expect([code, out]).toEqual([0, expect.stringContaining(`/download/v${VERSION}/${nameOf(target)}\n`)])
    expect(out).toContain(sumOf(files.get(`/latest/download/${nameOf(target)}`) ?? new Uint8Array()))
    expect([machine.files(), asked]).toEqual([[], ["/latest/download/SHA256SUMS"]])
  })

  test.each([
    [{ system: ["FreeBSD", "amd64"] }, "no program for FreeBSD"],
    [{ system: ["Linux", "riscv64"] }, "no program for Linux on riscv64"],
    [{ system: ["Darwin", "x86_64"] }, "Intel"]
  ] as const)("says that there is none for %j", async (system, reason) => {
    const machine = makeMachine(system)
    expect(await machine.run()).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
    expect([machine.files(), asked]).toEqual([[], []])
  })

  test.skipIf(Bun.which("wget") === null)("works with wget alone", async () => {
    const machine = makeMachine({ without: ["curl"] })
    expect(await machine.run()).toMatchObject({ code: 0 })
    expect(machine.files()).toEqual([".local/bin/linkbower"])
    publish()
    files.delete("/latest/download/SHA256SUMS")
    expect((await machine.run()).code).toBe(1)
  })
})

describe("a broken release installs nothing:", () => {
  const file = `/download/v${VERSION}/${nameOf("linux-x64")}`
  const list = "/latest/download/SHA256SUMS"
  const cases: Readonly<Record<string, readonly [change: () => void, reason: string]>> = {
    "no release": [() => files.clear(), "no list of checksums"],
    "no archive": [() => files.delete(file), "could not be downloaded"],
    "an archive that is cut off": [() => cut.add(file), "could not be downloaded"],
    "an archive that was cut off when it was published": [
      () => files.set(file, files.get(file)?.slice(0, 900) ?? new Uint8Array()),
      "does not have the SHA-256"
    ],
    "an archive with other bytes": [
      () => files.set(file, packed("linux-x64", { main: "#!/bin/sh\ntouch $HOME/evil\n" })),
      "does not have the SHA-256"
    ],
    "a list that is cut off": [() => cut.add(list), "no list of checksums"],
    "a list without this machine's file": [
      () => files.set(list, Buffer.from(`${"a".repeat(64)}  ${nameOf("plan9-x64")}\n`)),
      "no file for linux-x64"
    ],
    "a list with two sums for the file": [
      () => files.set(list, Buffer.from(`${"a".repeat(64)}  ${nameOf("linux-x64")}\n`.repeat(2))),
      "no file for linux-x64"
    ],
    "a list of HTML": [
      () => files.set(list, Buffer.from("<!doctype html><title>Sign in</title>")),
      "no file for linux-x64"
    ],
    "a list with a path for a name": [
      () => files.set(list, Buffer.from(`${"a".repeat(64)}  ../../linkbower-1-linux-x64.tar.gz\n`)),
      "no file for linux-x64"
    ],
    "a program that does not run": [() => publish(VERSION, "#!/bin/sh\nexit 127\n"), "does not run here"]
  }
  test.each(Object.entries(cases))("%s", async (_, [change, reason]) => {
    change()
    const machine = makeMachine()
    const old = join(machine.home, ".local/bin")
    mkdirSync(old, { recursive: true })
    writeFileSync(join(old, "linkbower"), "the old program")
    const { code, err } = await machine.run(["--systemd"])
    expect([code, err]).toEqual([1, expect.stringContaining(reason)])
    expect(machine.files()).toEqual([".local/bin/linkbower"])
    expect(readFileSync(join(old, "linkbower"), "utf8")).toBe("the old program")
    expect(machine.calls()).toEqual([])
  })
})

test("a script that was cut off anywhere does nothing", async () => {
  const machine = makeMachine()
  const length = SCRIPT.trimEnd().length
  const places = new Set([...Array.from({ length: 60 }, (_, i) => Math.floor((length * i) / 60))])
  for (let left = 1; left <= 20; left++) places.add(length - left)
  const results = await Promise.all(
    [...places].flatMap((place) =>
      ["sh", "bash"].map((shell) => machine.run(["--systemd"], SCRIPT.slice(0, place), shell))
    )
  )
  expect(results.filter(({ out }) => out !== "")).toEqual([])
  expect([machine.files(), machine.calls(), asked]).toEqual([[], [], []])
  expect((await machine.run(["--dry-run"], SCRIPT.trimEnd())).code).toBe(0)
})

describe("--systemd", () => {
  test("starts the service for a user", async () => {
    const machine = makeMachine()
    expect(await machine.run(["--systemd"])).toMatchObject({ code: 0, err: "" })
    expect(machine.files()).toEqual([".config/systemd/user/linkbower.service", ".local/bin/linkbower"])
    const unit = readFileSync(join(machine.home, ".config/systemd/user/linkbower.service"), "utf8")
    expect(unit).toContain(`\nExecStart=${machine.home}/.local/bin/linkbower serve\n`)
    for (const folder of [".config/linkbower", ".local/share/linkbower"])
      expect(statSync(join(machine.home, folder)).mode & 0o777).toBe(0o700)
    expect(machine.calls()).toEqual([
      "systemctl --user daemon-reload",
      "systemctl --user enable linkbower",
      "systemctl --user restart linkbower",
      "loginctl enable-linger"
    ])
  })

  test("starts the service of the machine as root, with a user of its own", async () => {
    const machine = makeMachine({ user: 0 })
    expect(await machine.run(["--systemd"])).toMatchObject({ code: 0, err: "" })
    const unit = readFileSync(join(machine.home, "etc/systemd/system/linkbower.service"), "utf8")
    expect(unit).toBe(readFileSync(join(DEPLOY, "linkbower.service"), "utf8"))
    expect(machine.files()).toContain("usr/local/bin/linkbower")
    expect(machine.calls()).toEqual([
      "useradd --system --home-dir /var/lib/linkbower --shell /usr/sbin/nologin linkbower",
      `chown -R linkbower:linkbower ${machine.home}/etc/linkbower`,
      "systemctl daemon-reload",
      "systemctl enable linkbower",
      "systemctl restart linkbower"
    ])
  })

  test("is refused before anything is downloaded where it cannot work", async () => {
    for (const [machine, args, reason] of [
      [makeMachine({ without: ["systemctl"] }), ["--systemd"], "no systemd"],
      [makeMachine(), ["--systemd=system"], "must run as root"],
      [makeMachine(), ["--systemd", "--to", "/tmp/with spaces"], "cannot name the folder"]
    ] as const)
      expect(await machine.run(args)).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
    expect(asked).toEqual([])
  })
})

describe("options", () => {
  test.each([
    [["--nonsense"], "unknown option --nonsense"],
    [["--version"], "--version needs"],
    [["--to"], "--to needs"],
    [["--version", "../../x"], "is not a version"],
    [["--version="], "is not a version"]
  ] as const)("%j is refused", async (args, reason) => {
    expect(await makeMachine().run(args)).toMatchObject({ code: 1, err: expect.stringContaining(reason) })
    expect(asked).toEqual([])
  })

  test("--help describes every option", async () => {
    const { code, out } = await makeMachine().run(["--help"])
    expect(code).toBe(0)
    for (const option of ["--version", "--to", "--systemd", "--dry-run"]) expect(out).toContain(option)
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100)
  })
})

describe("the address of the releases", () => {
  const script = (releases: string) => SCRIPT.replace(/\$\{LINKBOWER_RELEASES:-@RELEASES@\}/, releases)

  test("is part of a release's installer, and of no other", async () => {
    const own = installer(SCRIPT, "https://github.com/owner/linkbower/releases")
    expect(own).toContain("LINKBOWER_RELEASES:-https://github.com/owner/linkbower/releases}")
    expect(own).not.toContain("@RELEASES@")
    for (const address of ["http://github.com/a/b/releases", "https://a/$(id)", "https://a/b c", ""])
      expect(() => installer(SCRIPT, address)).toThrow("https address")
    const { code, err } = await makeMachine().run([], script("@RELEASES@"))
    expect([code, err]).toEqual([1, expect.stringContaining("LINKBOWER_RELEASES")])
  })

  test.each([
    "http://links.example.org/releases",
    "file:///tmp",
    "http://127.0.0.1.example.org:80",
    "ftp://127.0.0.1:1"
  ])("%s is refused", async (address) => {
    const { code, err } = await makeMachine().run([], script(`'${address}'`))
    expect([code, err]).toEqual([1, expect.stringContaining("https address")])
  })
})

test.skipIf(Bun.which("shellcheck") === null)("shellcheck finds nothing", async () => {
  const child = Bun.spawn(["shellcheck", "-s", "sh", join(ROOT, "install.sh")], { stdout: "pipe" })
  expect([await new Response(child.stdout).text(), await child.exited]).toEqual(["", 0])
})
