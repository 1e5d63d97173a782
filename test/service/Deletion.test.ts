import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { inDatabase, numberIn } from "../support/libraryFile.ts"
import { type Running, until, update, type World } from "../support/service.ts"
import { type TestService, useTestService, withTestService } from "../support/testService.ts"
import { long } from "../support/tier.ts"

/**
 * A unique word. Its end is unique too, because an index stores sorted words without the beginning that a word shares
 * with the one before it.
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

/** The content of a file; empty if it has just been removed. */
const bytesOf = (path: string) => {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/** The files of the data folder that contain one of the words, each with the word; they are read one by one. */
function* tracesOf({ folder }: Pick<Running, "folder">, words: ReadonlyArray<string>) {
  for (const entry of readdirSync(join(folder, "data"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = bytesOf(join(entry.parentPath, entry.name))
    for (const word of words)
      if (entry.name.includes(end(word)) || bytes.includes(end(word))) yield `${entry.name}: ${word}`
  }
}
const traces = (running: Pick<Running, "folder">, words: ReadonlyArray<string>) => [
  ...tracesOf(running, words)
]

/** The address of a page with the words in its address, title, article and picture, about which the model returns words too. */
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

/** Waits until the words are gone. */
const goneFrom = (running: Running, words: ReadonlyArray<string>) =>
  until(async () => tracesOf(running, words).next().done).catch(() =>
    expect(traces(running, words)).toEqual([])
  )

const deletionTest = (
  name: string,
  body: (service: TestService) => Promise<void>,
  register: (name: string, test: () => Promise<void>) => void = test.concurrent
) => register(name, () => withTestService({}, body))

describe("a deletion", () => {
  const shared = useTestService()

  long(test)("leaves nothing of the link in the data folder", async () => {
    const { client, running, world } = shared()
    const { change, owner } = client
    const complete = (title: string) =>
      until(async () =>
        (await client.links()).find((link) => link.title.includes(title) && link.enrichment !== "pending")
      )
    const run = async (body: object) => client.ended((await client.start(body)).id)

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

    // Everything that copies the link's words.
    for (const [marks, id] of ids) {
      expect((await change({ op: "edit", ids: [id], title: `Bread at home ${marks.renamed}` })).status).toBe(
        200
      )
      expect((await change({ op: "shareable", ids: [id], shareable: true })).status).toBe(200)
      expect((await owner("GET", `/api/links/${id}/image`)).status).toBe(200)
      await owner("GET", `/api/links/${id}/favicon`)
    }
    await fetch(`${running.base}/list?q=${first.renamed}`)
    await fetch(`${running.base}/list/feed.xml`)
    for (const what of WHAT) await client.links(`?q=${first[what]}`)
    const proposed = await run({ action: "organize", dryRun: true })
    expect(JSON.stringify(proposed.result)).toContain(first.renamed)
    await run({ action: "organize" })
    await run({ action: "recategorize" })
    await run({ action: "dupes" })
    await run({ action: "refresh", id: a })
    for (const format of ["json", "html", "csv"])
      await (await owner("GET", `/api/export?format=${format}`)).text()
    const noted = mark("alpha", "chatnote")
    for (const text of ["bread", `/similar #${a}`, "/recent 3", "/dupes", `/note ${a} ${noted}`]) {
      const before = world.telegram.calls.length
      await client.webhook(update(text))
      await until(() => world.telegram.calls.length > before)
    }

    const all = [...Object.values(first), ...Object.values(second), noted]
    const found = traces(running, [...all, ...Object.values(kept)]).map((line) => line.split(": ")[1])
    expect(new Set(found)).toEqual(new Set([...all, ...Object.values(kept)]))
    const pictures = readdirSync(join(running.folder, "data", "images")).length
    expect(pictures).toBeGreaterThan(3)

    // A merged link is in the trash, with all its words.
    expect((await change({ op: "merge", ids: [b], into: a })).status).toBe(200)
    expect((await change({ op: "delete", ids: [a] })).status).toBe(200)
    expect(await client.links(`?q=${second.title}%20is:trashed`)).toMatchObject([{ id: b }])
    expect((await change({ op: "delete", ids: [a, b], forever: true })).status).toBe(200)
    await goneFrom(running, all)
    // The pictures of the remaining link, and the icon if it was fetched again.
    expect(readdirSync(join(running.folder, "data", "images")).length).toBeLessThanOrEqual(2)
    expect(running.output()).not.toContain(end(first.note))

    const left = () => new Set(traces(running, Object.values(kept)).map((line) => line.split(": ")[1]))
    expect(left()).toEqual(new Set(Object.values(kept)))
    await running.stop()
    expect(traces(running, all)).toEqual([])
    expect(left()).toEqual(new Set(Object.values(kept)))
  })

  long(test)("is complete after 30 days in the trash", async () => {
    const service = shared()
    const { client, restart, world } = service
    await restart()
    const [old, young] = [marksOf("yankee"), marksOf("zulu")]
    for (const marks of [old, young])
      await client.webhook(update(`${pageOf(world, marks)} ${marks.note} #${marks.hashtag}`))
    const complete = await until(async () => {
      const links = (await client.links()).filter(({ title }) =>
        [old, young].some((marks) => title.includes(marks.title))
      )
      return links.length === 2 && links.every(({ enrichment }) => enrichment !== "pending")
        ? links
        : undefined
    })
    const idOf = (marks: Record<What, string>) =>
      complete.find(({ title }) => title.includes(marks.title))?.id ?? 0
    const before = await client.count()
    expect((await client.change({ op: "delete", ids: [idOf(old), idOf(young)] })).status).toBe(200)
    expect(await client.count()).toBe(before - 2)
    const wordsOf = (marks: Record<What, string>) => [marks.path, marks.title, marks.note, marks.words]
    await service.running.stop()
    expect(traces(service.running, wordsOf(old)).length).toBeGreaterThan(0)
    inDatabase(join(service.running.folder, "data", "library.db"), (database) => {
      database.run("PRAGMA secure_delete = ON")
      const before = new Date(Date.now() - 31 * 86_400_000).toISOString()
      database.run("UPDATE trash SET deleted_at = ? WHERE id = ?", [before, idOf(old)])
    })
    await restart()
    await goneFrom(service.running, Object.values(old))
    const kept = traces(service.running, wordsOf(young)).map((line) => line.split(": ")[1])
    expect(new Set(kept)).toEqual(new Set(wordsOf(young)))
    expect((await client.change({ op: "restore", ids: [idOf(young)] })).status).toBe(200)
    expect((await client.links()).map(({ id }) => id)).toContain(idOf(young))
  })

  for (const how of ["from the chat", "by the extension"])
    deletionTest(
      `while its page is read leaves nothing of a link saved ${how}`,
      async ({ client, running, world }) => {
        const marks = marksOf("tango")
        const address = pageOf(world, marks, "/held")
        if (how === "from the chat")
          await client.webhook(update(`${address} ${marks.note} #${marks.hashtag}`))
        // Its answer comes when the page has been read, which may be after the service has stopped.
        else void client.capture({ url: address, note: marks.note }).catch(() => undefined)
        const link = await until(async () => (await client.links())[0])
        expect(link.enrichment).toBe("pending")
        await until(() => world.pages.hits.has("/held"))
        const early = [marks.path, marks.note]
        expect(new Set(traces(running, early).map((line) => line.split(": ")[1]))).toEqual(new Set(early))
        expect((await client.change({ op: "delete", ids: [link.id], forever: true })).status).toBe(200)
        world.pages.release()
        const library = join(running.folder, "data", "library.db")
        await until(() => numberIn(library, "SELECT count(*) FROM inbox WHERE state = 'waiting'") === 0)
        await goneFrom(running, Object.values(marks))
        expect(await client.links()).toEqual([])
      },
      how === "from the chat" ? test.concurrent : long(test.concurrent)
    )

  deletionTest(
    "while its page is read outlives a kill, and the message's other links come back",
    async (service) => {
      const { client, restart, world } = service
      const held = (name: string) => `${world.pages.url}/held?t=${name}`
      const [alone, captured] = [held("Alone"), held("Captured")]
      const many = ["One", "Two", "Three", "Four", "Five"].map(held)
      await client.webhook(update(`${alone} with a note`))
      await client.webhook(update(many.join(" ")))
      void client.capture({ url: captured, note: "a note" }).catch(() => undefined)
      const pending = await until(async () => {
        const links = await client.links()
        return links.length === 7 ? links : undefined
      })
      const idOf = (url: string) => pending.find((link) => link.url === url)?.id ?? 0
      const deleted = [alone, captured, many[2] ?? ""]
      expect((await client.change({ op: "delete", ids: deleted.map(idOf) })).status).toBe(200)
      await service.running.stop("SIGKILL")
      world.pages.release()
      await restart()
      const left = many.filter((url) => !deleted.includes(url))
      const complete = await until(async () => {
        const links = await client.links()
        return links.length >= left.length && links.every(({ enrichment }) => enrichment !== "pending")
          ? links
          : undefined
      })
      expect(complete.map(({ url }) => url).toSorted()).toEqual(left.toSorted())
      // A deleted link can be saved again, and comes back with its note.
      await client.webhook(update(`${world.pages.url}/plain?t=Again`))
      await client.webhook(update(alone))
      await until(async () => (await client.links()).some(({ url }) => url === alone))
      const last = (await client.links()).map(({ url }) => url)
      expect(last).not.toContain(captured)
      expect(last).not.toContain(many[2])
    }
  )
})
