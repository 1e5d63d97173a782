import { Database } from "bun:sqlite"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PROGRAM } from "../../support/program.ts"
import { makeClient, makeWorld, startService } from "../../support/service.ts"
import type { View } from "./browser.ts"
import type { DescribedLink } from "./describedLinks.ts"
import { type Pictures, picturesAt, servePictures } from "./pictures.ts"
import { SHOOTS } from "./shoot.ts"

const SNAPSHOTS = join(import.meta.dir, "../../../dist/test/libraries")
/** Where the pictures of a snapshot are; each copy names its own server. */
const PICTURES = "http://pictures.invalid"

/** Loaded on demand: most runs copy a database and never need the program's modules. */
const writer = () => import("./writeDatabase.ts")

/** The sources of a snapshot; a change of one makes another snapshot. */
const sources = [
  ...PROGRAM,
  ...["describedLinks.ts", "madeUpLinks.ts", "writeDatabase.ts"].map((name) => join(import.meta.dir, name))
]

/** The path of a database with as many described links, written today by this program. Two processes may write it. */
const snapshotOf = async (size: number) => {
  const today = new Date().toISOString().slice(0, 10)
  const key = Bun.hash([today, ...sources.map((path) => statSync(path).mtimeMs)].join()).toString(36)
  const path = join(SNAPSHOTS, `${size}-${key}.db`)
  if (existsSync(path)) return path
  mkdirSync(SNAPSHOTS, { recursive: true })
  const [{ writeDatabase }, { describedLinks }] = await Promise.all([writer(), import("./describedLinks.ts")])
  const folder = mkdtempSync(join(SNAPSHOTS, "new-"))
  await writeDatabase(join(folder, "library.db"), describedLinks(size, picturesAt(PICTURES)))
  renameSync(join(folder, "library.db"), path)
  rmSync(folder, { recursive: true })
  return path
}

/** One link in this many keeps its pictures, except for screenshots: their requests took a quarter of the processor time. */
const PICTURED = SHOOTS ? 1 : 5

const copyDatabase = async (path: string, size: number, pictures: string) => {
  copyFileSync(await snapshotOf(size), path)
  const database = new Database(path)
  database.run("UPDATE links SET image = NULL, favicon = NULL WHERE id % ?1 > 0", [PICTURED])
  database.run("UPDATE links SET image = replace(image, ?1, ?2), favicon = replace(favicon, ?1, ?2)", [
    PICTURES,
    pictures
  ])
  database.run("DELETE FROM image_removals")
  database.close()
}

/** The limit is the size of an environment variable. */
const MAX_HOSTS = 3_000

/** The hosts of the newest links, because only pages of listed hosts may refer to the picture server on loopback. */
const hostsIn = (path: string): ReadonlyArray<string> => {
  if (!existsSync(path)) return []
  const database = new Database(path)
  const rows = database.query<{ readonly url: string }, []>("SELECT url FROM links ORDER BY id DESC").all()
  database.close()
  return [...new Set(rows.map(({ url }) => new URL(url).host))].slice(0, MAX_HOSTS)
}

type Look = Omit<View, "base" | "token">

/**
 * Starts the service and its fake servers over a library with pictures: `of` is a number of described links, or makes
 * the links. `settings` override the defaults.
 *
 * Returns views of the owner and of anybody, for `visit`, and a client that sends requests as the chat and the extension do.
 */
export const startLibrary = async (
  of: number | ((pictures: Pictures) => ReadonlyArray<DescribedLink>),
  settings: Readonly<Record<string, string>> = {}
) => {
  const pictures = servePictures()
  const world = await makeWorld()
  const folder = mkdtempSync(join(tmpdir(), "linkbower-browser-"))
  mkdirSync(join(folder, "data"))
  const path = join(folder, "data", "library.db")
  if (typeof of === "function") await (await writer()).writeDatabase(path, of(pictures))
  else if (of > 0) await copyDatabase(path, of, pictures.origin)
  const allowed = [world.settings["FETCH_ALLOW"], pictures.host, ...hostsIn(path)].join(",")
  const service = await startService({ ...world.settings, FETCH_ALLOW: allowed, ...settings }, folder)
  const { base } = service
  const before: Array<() => Promise<unknown>> = []
  return {
    base,
    world,
    service,
    client: makeClient(service, world),
    owner: async (look: Look = {}): Promise<View> => ({ ...look, base, token: await world.gateway.token() }),
    anybody: (look: Look = {}): View => ({ ...look, base }),
    /** Has something done before the service stops: a page that is still open would ask it in vain. */
    beforeStop: (work: () => Promise<unknown>) => void before.push(work),
    stop: async () => {
      try {
        for (const work of before) await work()
      } finally {
        await service.stop()
        service.clean()
        await Promise.all([world.stop(), pictures.stop()])
      }
    }
  }
}
export type StartedLibrary = Awaited<ReturnType<typeof startLibrary>>
