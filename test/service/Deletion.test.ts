import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

/**
 * A word that stands nowhere else. An index keeps its words sorted and leaves out the beginning one shares with the
 * word before it, so the end of each is its own.
 */
const mark = (link: string, what: string) => `zq${link}${what}xw9`
const end = (word: string) => word.slice(3)

const WHAT = [
  "path",
  "title",
  "renamed",
  "note",
  "hashtag",
  "modeltag",
  "summary",
  "words",
  "picture"
] as const
type What = (typeof WHAT)[number]
const marksOf = (link: string): Record<What, string> => {
  const all = Object.fromEntries(WHAT.map((what) => [what, mark(link, what)]))
  return all as Record<What, string>
}

/** What is in the file; nothing where it has just been removed. */
const bytesOf = (path: string) => {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** The files below the service's data folder that hold one of the words, with the word. */
const traces = ({ folder }: Pick<Running, "folder">, words: ReadonlyArray<string>) => {
  const data = join(folder, "data")
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = bytesOf(join(entry.parentPath, entry.name))
      return words
        .filter((word) => entry.name.includes(end(word)) || bytes.includes(end(word)))
        .map((word) => `${entry.name}: ${word}`)
    })
}

/** A page with marks in its address, title, article and picture, and a model that answers with marks. */
const pageOf = ({ model, pages }: World, marks: Record<What, string>, path = "/plain", more = "") => {
  model.reply = JSON.stringify({
    summary: `Baking bread, ${marks.summary}.`,
    tags: ["baking", marks.modeltag],
    category: "Reading"
  })
  const query = new URLSearchParams({
    t: `Baking sourdough bread ${marks.title}`,
    text: `${marks.words} `.repeat(3),
    image: `${pages.url}/picture/${marks.picture}`,
    is: marks.path
  })
  return `${pages.url}${path}?${query}${more}`
}

const withService = (
  name: string,
  body: (service: Running, world: World, client: ReturnType<typeof makeClient>) => Promise<void>
) =>
  test(name, async () => {
    const world = await makeWorld()
    const service = await startService(world.settings)
    try {
      await body(service, world, makeClient(service, world))
    } finally {
      await service.stop()
      service.clean()
      await world.stop()
    }
  }, 120_000)

/** Waits until none of the words is left, which must be the case within a minute. */
const goneFrom = (service: Running, words: ReadonlyArray<string>) =>
  until(() => traces(service, words).length === 0, 60).catch(() => expect(traces(service, words)).toEqual([]))

withService("nothing of a deleted link stays in the data folder", async (service, world, client) => {
  const { owner } = client
  const complete = (title: string) =>
    until(async () =>
      (await client.links()).find((link) => link.title.includes(title) && link.enrichment !== "pending")
    )
  const job = async (body: object) => {
    const started: { job: { id: number } } = await (await owner("POST", "/api/action", body)).json()
    return until(async () => {
      const { job }: { job: { state: string; result: unknown } } = await (
        await owner("GET", `/api/jobs/${started.job.id}`)
      ).json()
      return job.state === "running" ? undefined : job
    }, 30)
  }

  const [first, second, kept] = [marksOf("alpha"), marksOf("bravo"), marksOf("kilo")]
  for (const marks of [first, second, kept]) {
    const address = pageOf(world, marks)
    if (marks === second) await client.capture({ url: address, note: `${marks.note} #${marks.hashtag}` })
    else await client.webhook(update(`${address} ${marks.note} #${marks.hashtag}`))
    await complete(marks.title)
  }
  const ids = new Map(
    await Promise.all(
      [first, second, kept].map(async (one) => [one, (await complete(one.title)).id] as const)
    )
  )
  const [a = 0, b = 0] = [ids.get(first), ids.get(second)]

  // Everything that takes the link's words somewhere else.
  const change = async (body: object) => expect((await owner("POST", "/api/mutate", body)).status).toBe(200)
  for (const [marks, id] of ids) {
    await change({ op: "edit", ids: [id], title: `Bread at home ${marks.renamed}` })
    await change({ op: "shareable", ids: [id], shareable: true })
    expect((await owner("GET", `/api/links/${id}/image`)).status).toBe(200)
    await owner("GET", `/api/links/${id}/favicon`)
  }
  await fetch(`${service.base}/list?q=${first.renamed}`)
  await fetch(`${service.base}/list/feed.xml`)
  for (const what of WHAT) await client.links(`?q=${first[what]}`)
  const proposed = await job({ action: "organize", dryRun: true })
  expect(JSON.stringify(proposed.result)).toContain(first.renamed)
  await job({ action: "organize" })
  await job({ action: "recategorize" })
  await job({ action: "dupes" })
  await job({ action: "refresh", id: a })
  for (const format of ["json", "html", "csv"])
    await (await owner("GET", `/api/export?format=${format}`)).text()
  for (const text of ["bread", `/similar #${a}`, "/recent 3", "/dupes"]) {
    const before = world.telegram.calls.length
    const entities = /^\/\w+/.exec(text)?.map(({ length }) => ({ type: "bot_command", offset: 0, length }))
    await client.webhook(update(text, entities === undefined ? {} : { entities }))
    await until(() => world.telegram.calls.length > before)
  }

  const all = [...Object.values(first), ...Object.values(second)]
  const found = traces(service, [...all, ...Object.values(kept)]).map((line) => line.split(": ")[1])
  expect(new Set(found)).toEqual(new Set([...all, ...Object.values(kept)]))
  const pictures = readdirSync(join(service.folder, "data", "images")).length
  expect(pictures).toBeGreaterThan(3)

  await change({ op: "merge", ids: [b], into: a })
  await change({ op: "delete", ids: [a] })
  await goneFrom(service, all)
  // The pictures of the one that is left, and the icon where it was fetched again.
  expect(readdirSync(join(service.folder, "data", "images")).length).toBeLessThanOrEqual(2)
  expect(service.output()).not.toContain(end(first.note))

  const left = () => new Set(traces(service, Object.values(kept)).map((line) => line.split(": ")[1]))
  expect(left()).toEqual(new Set(Object.values(kept)))
  await service.stop()
  expect(traces(service, all)).toEqual([])
  expect(left()).toEqual(new Set(Object.values(kept)))
})

for (const how of ["from the chat", "by the extension"])
  withService(
    `nothing stays of a link saved ${how} and deleted while its page is read`,
    async (service, world, client) => {
      const marks = marksOf("tango")
      const address = pageOf(world, marks, "/slow", "&ms=3000")
      if (how === "from the chat") await client.webhook(update(`${address} ${marks.note} #${marks.hashtag}`))
      // Its answer comes when the page has been read.
      else void client.capture({ url: address, note: marks.note })
      const link = await until(async () => (await client.links())[0])
      expect(link.enrichment).toBe("pending")
      const early = [marks.path, marks.note]
      expect(new Set(traces(service, early).map((line) => line.split(": ")[1]))).toEqual(new Set(early))
      expect((await client.owner("POST", "/api/mutate", { op: "delete", ids: [link.id] })).status).toBe(200)
      await until(() => (world.pages.hits.get("/slow") ?? 0) > 0)
      await Bun.sleep(3_500)
      await goneFrom(service, Object.values(marks))
      expect(await client.links()).toEqual([])
    }
  )

test("a link deleted while its page is read does not come back after a kill, and the rest of its message does", async () => {
  const world = await makeWorld()
  let service = await startService(world.settings)
  try {
    let client = makeClient(service, world)
    const slow = (name: string) => `${world.pages.url}/slow?ms=4000&t=${name}`
    const [alone, captured] = [slow("Alone"), slow("Captured")]
    const many = ["One", "Two", "Three", "Four", "Five"].map(slow)
    await client.webhook(update(`${alone} with a note`))
    await client.webhook(update(many.join(" ")))
    void client.capture({ url: captured, note: "a note" }).catch(() => undefined)
    const pending = await until(async () => {
      const links = await client.links()
      return links.length === 7 ? links : undefined
    })
    const idOf = (url: string) => pending.find((link) => link.url === url)?.id ?? 0
    const gone = [alone, captured, many[2] ?? ""]
    const deleted = await client.owner("POST", "/api/mutate", { op: "delete", ids: gone.map(idOf) })
    expect(deleted.status).toBe(200)
    await service.stop("SIGKILL")

    service = await startService(world.settings, service.folder)
    client = makeClient(service, world)
    const left = many.filter((url) => !gone.includes(url))
    const complete = await until(async () => {
      const links = await client.links()
      return links.length >= left.length && links.every(({ enrichment }) => enrichment !== "pending")
        ? links
        : undefined
    }, 60)
    expect(complete.map(({ url }) => url).toSorted()).toEqual(left.toSorted())
    // Whoever saves it once more gets it.
    await client.webhook(update(`${world.pages.url}/plain?t=Again`))
    await client.webhook(update(alone))
    await until(async () => (await client.links()).some(({ url }) => url === alone), 30)
    const last = (await client.links()).map(({ url }) => url)
    expect(last).not.toContain(captured)
    expect(last).not.toContain(many[2])
  } finally {
    await service.stop()
    service.clean()
    await world.stop()
  }
}, 120_000)
