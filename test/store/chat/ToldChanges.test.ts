import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { ChatChange } from "../../../src/domain/ChatChange.ts"
import { LinkId } from "../../../src/domain/Link.ts"
import { ToldChanges } from "../../../src/store/chat/ToldChanges.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"

const it = libraryTest(stores())

/** Changes of a link's note, each told as a change of its title. */
const tellAll = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const changes = yield* ChangeStore
  const told = yield* ToldChanges
  const { link } = yield* Effect.flatMap(LinkStore, (links) => links.upsert(newLink("a")))
  const tokens: Array<string> = []
  for (const from of names) {
    const token = yield* changes.apply({ fields: ["note"], links: [{ id: link.id, note: from }] })
    yield* told.tell(token, { kind: "title", id: link.id, from })
    tokens.push(token)
  }
  return { told, changes, id: link.id, tokens }
})
const fromOf = (last: Option.Option<{ readonly label: ChatChange }>) =>
  Option.getOrUndefined(Option.map(last, ({ label }) => (label.kind === "title" ? label.from : label.kind)))

describe("ToldChanges", () => {
  it("returns changes from the last one back, each once, without undone ones", function* () {
    const { changes, told, tokens } = yield* tellAll("one", "two", "three")
    yield* changes.undo(tokens[1] ?? "", { force: true })
    for (const from of ["three", "one", undefined]) expect(fromOf(yield* told.takeLast)).toBe(from)
    expect(Option.getOrThrow(yield* told.nameOf(tokens[0] ?? ""))).toMatchObject({ from: "one" })
  })

  it("has the order in which changes are told, final ones included", function* () {
    const { id, told, tokens } = yield* tellAll("one", "two")
    yield* told.tell(tokens[0] ?? "", { kind: "title", id, from: "again" })
    yield* told.tellFinal({ kind: "remove", id: LinkId.make(9) })
    for (const from of ["remove", "again", "two", undefined]) expect(fromOf(yield* told.takeLast)).toBe(from)
  })

  it("keeps no text of a link that is deleted for good", function* () {
    const { id, told } = yield* tellAll("secretword")
    yield* Effect.flatMap(LinkStore, (links) => links.remove([id]))
    expect(fromOf(yield* told.last)).toBe("")
  })
})
