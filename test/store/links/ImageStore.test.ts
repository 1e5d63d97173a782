import { describe, expect } from "bun:test"
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { Effect, Option } from "effect"
import { type LinkId, LinkId as LinkIdSchema } from "../../../src/domain/Link.ts"
import type { Picture } from "../../../src/domain/Picture.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { ImageStore, imageFiles } from "../../../src/store/links/ImageStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { effectTest, libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { setNote } from "../../support/libraryOf.ts"
import { found, newLink } from "../../support/links.ts"
import { icon, png, svg, temporaryFolder } from "../../support/pictures.ts"

const it = effectTest(BunFileSystem.layer)

/** A picture of exactly this many bytes. */
const ofBytes = (length: number): Picture => {
  const bytes = Buffer.alloc(length)
  png(1, 1).copy(bytes)
  return { type: "image/png", bytes }
}

const address = (name: string | number) => `https://pictures.example/${name}.png`

/** A folder of pictures, which does not exist yet, and its files. */
const kept = Effect.fnUntraced(function* (maxBytes = 1_000_000) {
  const folder = join(yield* temporaryFolder, "data", "images")
  return { folder, files: yield* imageFiles(folder, maxBytes) }
})

/** Sets the last use of every file in the folder to this many seconds ago. */
const age = (folder: string, seconds: number) => {
  const then = Date.now() / 1000 - seconds
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then)
}

describe("ImageFiles", () => {
  it("returns pictures by kind and address, with the type of their bytes", function* () {
    const { files } = yield* kept()
    const pixel = ofBytes(100)
    const vector: Picture = { type: "image/svg+xml", bytes: Buffer.from(svg) }
    const icons: Picture = { type: "image/x-icon", bytes: icon(png(1, 1)) }
    yield* files.write("image", address("a"), pixel)
    yield* files.write("favicon", address("a"), vector)
    yield* files.write("favicon", address("b"), icons)
    expect(yield* files.read("image", address("a"))).toMatchObject({ value: { type: "image/png" } })
    expect(yield* files.read("favicon", address("a"))).toMatchObject({ value: { type: "image/svg+xml" } })
    expect(yield* files.read("favicon", address("b"))).toMatchObject({ value: { type: "image/x-icon" } })
    expect(yield* files.read("image", address("b"))).toEqual(Option.none())
  })

  it("keeps pictures over a restart, in private files with opaque names", function* () {
    const { files, folder } = yield* kept()
    yield* files.write("image", address("a"), ofBytes(100))
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o077).toBe(0)
    expect(statSync(folder).mode & 0o077).toBe(0)
    const again = yield* imageFiles(folder, 1_000_000)
    expect(Option.isSome(yield* again.read("image", address("a")))).toBe(true)
  })

  it("ignores a damaged file, and replaces it", function* () {
    const { files, folder } = yield* kept()
    yield* files.write("image", address("a"), ofBytes(100))
    for (const damage of ["", "<html>", svg]) {
      writeFileSync(join(folder, readdirSync(folder)[0] ?? ""), damage)
      expect(yield* files.read("image", address("a"))).toEqual(Option.none())
    }
    yield* files.write("image", address("a"), ofBytes(200))
    expect(yield* files.read("image", address("a"))).toMatchObject({ value: { bytes: { length: 200 } } })
  })

  it("removes the picture of an address, or nothing", function* () {
    const { files, folder } = yield* kept()
    yield* files.remove("image", address("a"))
    yield* files.write("image", address("a"), ofBytes(100))
    yield* files.write("favicon", address("a"), ofBytes(100))
    yield* files.remove("image", address("a"))
    expect(yield* files.read("image", address("a"))).toEqual(Option.none())
    expect(readdirSync(folder).length).toBe(1)
  })

  it("works without a writable folder", function* () {
    const folder = yield* temporaryFolder
    writeFileSync(join(folder, "file"), "")
    const files = yield* imageFiles(join(folder, "file"), 1_000)
    yield* files.write("image", address("a"), ofBytes(100))
    expect(yield* files.read("image", address("a"))).toEqual(Option.none())
    yield* files.prune
  })

  it("removes the least recently used pictures until the rest fits", function* () {
    const { files, folder } = yield* kept(1_000)
    for (let index = 0; index < 20; index++) yield* files.write("image", address(index), ofBytes(100))
    writeFileSync(join(folder, "notes.txt"), ofBytes(500).bytes)
    age(folder, 60)
    yield* Effect.forEach([3, 7, 15], (index) => files.read("image", address(index)))
    yield* files.prune
    expect(readdirSync(folder)).toContain("notes.txt")
    expect(readdirSync(folder).length).toBe(11)
    for (const index of [3, 7, 15])
      expect(Option.isSome(yield* files.read("image", address(index)))).toBe(true)
  })

  it("measures the pictures and nothing else", function* () {
    const { files, folder } = yield* kept()
    expect(yield* files.bytes).toBe(0)
    const again = yield* imageFiles(folder, 1_000_000)
    yield* again.write("image", address("a"), ofBytes(100))
    yield* again.write("favicon", address("a"), ofBytes(250))
    writeFileSync(join(folder, "notes.txt"), ofBytes(500).bytes)
    expect(yield* again.bytes).toBe(350)
  })

  it("scans the folder again only after enough writes", function* () {
    const { files, folder } = yield* kept(1_000)
    yield* files.prune
    for (let index = 0; index < 20; index++) yield* files.write("image", address(index), ofBytes(100))
    yield* files.prune
    expect(readdirSync(folder).length).toBe(10)
    for (let index = 0; index < 5; index++)
      writeFileSync(join(folder, `${index}`.repeat(64)), ofBytes(100).bytes)
    yield* files.prune
    expect(readdirSync(folder).length).toBe(15)
    yield* files.write("image", address("more"), ofBytes(100))
    yield* files.prune
    expect(readdirSync(folder).length).toBe(10)
  })

  it("removes partial files of a crash, and no foreign files", function* () {
    const { files, folder } = yield* kept()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${"a".repeat(64)}.${crypto.randomUUID()}.tmp`), "half")
    writeFileSync(join(folder, "notes.txt"), "mine")
    yield* files.write("image", address("a"), ofBytes(100))
    yield* files.prune
    expect(readdirSync(folder).sort()).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), "notes.txt"])
  })
})

const inStore = libraryTest(stores())

const image = "https://pictures.example/a.png"
const favicon = "https://pictures.example/favicon.ico"
/** The address of the link that names them. */
/** The page that `found` says was read. */
const page = "https://example.org/"

/** A link whose page names these pictures. */
const saved = Effect.fnUntraced(function* (path: string, page: Parameters<typeof found>[0]) {
  const links = yield* LinkStore
  const { link } = yield* links.upsert(newLink(path))
  yield* links.finish(link.id, found(page))
  return link.id
})

const share = (id: LinkId, shareable: boolean) =>
  Effect.flatMap(ChangeStore, (changes) =>
    changes.apply({ fields: ["shareable"], links: [{ id, shareable }] })
  )

const removals = Effect.map(
  Effect.flatMap(ImageStore, (images) => images.removals(100)),
  (all) => all.map(({ address, kind }) => [kind, address])
)

describe("ImageStore", () => {
  inStore("returns the addresses of a link's pictures", function* () {
    const images = yield* ImageStore
    const id = yield* saved("a", { image })
    expect(yield* images.addressOf("image", id)).toEqual(Option.some({ address: image, page }))
    expect(yield* images.addressOf("favicon", id)).toEqual(Option.none())
    expect(yield* images.addressOf("image", LinkIdSchema.make(99))).toEqual(Option.none())
  })

  inStore("queues no removal when links are saved, finished and changed", function* () {
    const links = yield* LinkStore
    const id = yield* saved("a", { image, favicon })
    yield* saved("b", {})
    yield* links.finish(id, found({ image, favicon }))
    yield* links.finish(id, found({}))
    yield* setNote(id, "note")
    yield* share(id, true)
    expect(yield* removals).toEqual([])
  })

  inStore("queues the pictures of a deleted link and replaced ones for removal", function* () {
    const links = yield* LinkStore
    const [a, b, c] = [
      yield* saved("a", { image, favicon }),
      yield* saved("b", { favicon }),
      yield* saved("c", {})
    ]
    yield* links.finish(a, found({ image: "https://pictures.example/b.png", favicon }))
    expect(yield* removals).toEqual([["image", image]])
    yield* links.remove([b, c])
    yield* links.remove([a])
    expect(yield* removals).toEqual([
      ["image", image],
      ["favicon", favicon],
      ["image", "https://pictures.example/b.png"],
      ["favicon", favicon]
    ])
  })

  inStore("queues no removal for a rolled back deletion", function* () {
    const links = yield* LinkStore
    const transaction = yield* Transaction
    const id = yield* saved("a", { image })
    yield* Effect.ignore(transaction(Effect.zipRight(links.remove([id]), Effect.fail("no"))))
    expect(yield* removals).toEqual([])
  })

  inStore("dequeues completed removals only", function* () {
    const images = yield* ImageStore
    const links = yield* LinkStore
    yield* links.remove([yield* saved("a", { image, favicon })])
    yield* images.deleteRemovals(yield* images.removals(1))
    expect(yield* removals).toEqual([["favicon", favicon]])
  })
})
