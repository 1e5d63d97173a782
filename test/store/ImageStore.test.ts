import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { type LinkId, LinkId as LinkIdSchema } from "../../src/domain/Link.ts"
import { ChangeStore } from "../../src/store/ChangeStore.ts"
import { ImageStore } from "../../src/store/ImageStore.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const it = effectTest(stores())

const image = "https://pictures.example/a.png"
const favicon = "https://pictures.example/favicon.ico"
/** The link that names them. */
const page = newLink("a").url

/** A link whose page names these pictures. */
const saved = Effect.fnUntraced(function* (path: string, page: Parameters<typeof found>[0]) {
  const links = yield* LinkStore
  const { link } = yield* links.claim(newLink(path))
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
  it(
    "knows the addresses of a link's pictures",
    Effect.gen(function* () {
      const images = yield* ImageStore
      const id = yield* saved("a", { image })
      expect(yield* images.addressOf("image", id)).toEqual(Option.some({ address: image, page }))
      expect(yield* images.addressOf("favicon", id)).toEqual(Option.none())
      expect(yield* images.addressOf("image", LinkIdSchema.make(99))).toEqual(Option.none())
    })
  )

  it(
    "has nothing to remove after links are saved, found out about and changed",
    Effect.gen(function* () {
      const links = yield* LinkStore
      const id = yield* saved("a", { image, favicon })
      yield* saved("b", {})
      yield* links.finish(id, found({ image, favicon }))
      yield* links.finish(id, found({}))
      yield* links.setNote(id, "note")
      yield* share(id, true)
      expect(yield* removals).toEqual([])
    })
  )

  it(
    "has to remove the pictures of a link that is deleted, and of one that names others",
    Effect.gen(function* () {
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
  )

  it(
    "has nothing to remove where a deletion was taken back before it was whole",
    Effect.gen(function* () {
      const links = yield* LinkStore
      const transaction = yield* Transaction
      const id = yield* saved("a", { image })
      yield* Effect.ignore(transaction(Effect.zipRight(links.remove([id]), Effect.fail("no"))))
      expect(yield* removals).toEqual([])
    })
  )

  it(
    "forgets what is removed, and no more",
    Effect.gen(function* () {
      const images = yield* ImageStore
      const links = yield* LinkStore
      yield* links.remove([yield* saved("a", { image, favicon })])
      yield* images.removed(yield* images.removals(1))
      expect(yield* removals).toEqual([["favicon", favicon]])
    })
  )
})
