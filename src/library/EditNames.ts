import { Effect, Option } from "effect"
import { LabelNotFound, LabelRefused, type NameKind, type UsedName } from "../domain/Label.ts"
import { Service } from "../runtime/Services.ts"
import { normalizeCategory, UNSORTED } from "../shared/Category.ts"
import { isPrivateTag, normalizeOwnerTag } from "../shared/Tags.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { EditLinks } from "./EditLinks.ts"
import { SimilarNames } from "./SimilarNames.ts"

export type NameEdit = { readonly name: string } | { readonly into: string }

const normalize: Record<NameKind, (name: string) => string | null> = {
  tag: (name) => normalizeOwnerTag(name) || null,
  category: normalizeCategory
}

const make = Effect.gen(function* () {
  const names = yield* NameStore
  const edits = yield* EditLinks
  const twins = yield* SimilarNames

  const inUse = Effect.fnUntraced(function* (kind: NameKind, given: string) {
    const name = normalize[kind](given) ?? given
    const found = yield* names.get(kind, name)
    return Option.isSome(found) ? found.value : yield* new LabelNotFound({ kind, name: given })
  })

  const withAliases = Effect.fnUntraced(function* (kind: NameKind, thing: UsedName) {
    const aliases = yield* names.aliases(kind)
    return {
      ...thing,
      aliases: aliases.filter(({ target }) => target === thing.name).map(({ name }) => name)
    }
  })

  const refuseUnsorted = (kind: NameKind, name: string) =>
    kind === "category" && name === UNSORTED
      ? new LabelRefused({
          message: `“${UNSORTED}” stands for links without a category. It cannot be renamed or deleted.`
        })
      : Effect.void

  const targetOf = Effect.fnUntraced(function* (kind: NameKind, from: string, edit: NameEdit) {
    if ("into" in edit) {
      const [meant = edit.into] = yield* names.resolve(kind, [normalize[kind](edit.into) ?? edit.into])
      return (yield* inUse(kind, meant)).name
    }
    const wanted = normalize[kind](edit.name)
    if (wanted === null)
      return yield* new LabelRefused({ message: 'The field "name" must contain a letter or a digit.' })
    const [meant = wanted] = yield* names.resolve(kind, [wanted])
    // An alias of this very name becomes the name.
    return meant === from ? wanted : meant
  })

  return {
    list: Effect.fn("EditNames.list")(function* (kind: NameKind) {
      const used = yield* names.list(kind)
      const compared = used.filter(({ name }) => !isPrivateTag(name) && name !== UNSORTED)
      return {
        names: used,
        aliases: yield* names.aliases(kind),
        twins: yield* twins.among(compared.map(({ name }) => ({ name, label: name })))
      }
    }),
    get: Effect.fn("EditNames.get")(function* (kind: NameKind, given: string) {
      const [name = given] = yield* names.resolve(kind, [normalize[kind](given) ?? given])
      return yield* withAliases(kind, yield* inUse(kind, name))
    }),
    /** Renames, or merges with a name in use; the old name becomes an alias. */
    edit: Effect.fn("EditNames.edit")(function* (kind: NameKind, given: string, edit: NameEdit) {
      const made = yield* edits.make(
        Effect.gen(function* () {
          yield* refuseUnsorted(kind, normalize[kind](given) ?? given)
          const { name } = yield* inUse(kind, given)
          const to = yield* targetOf(kind, name, edit)
          if (to === name)
            return yield* new LabelRefused({ message: "This is its name already. Choose another one." })
          return [yield* names.rename(kind, name, to), to] as const
        })
      )
      const thing = yield* withAliases(kind, yield* inUse(kind, made.value))
      return { thing, changed: made.ids.length, undo: made.undo }
    }),
    /** Takes a name off its links, or forgets an alias. */
    remove: Effect.fn("EditNames.remove")(function* (kind: NameKind, given: string) {
      const { ids, undo } = yield* edits.make(
        Effect.gen(function* () {
          const name = normalize[kind](given) ?? given
          const [meant = name] = yield* names.resolve(kind, [name])
          yield* refuseUnsorted(kind, name)
          if (meant === name) yield* inUse(kind, name)
          return [yield* names.remove(kind, name), name] as const
        })
      )
      return { changed: ids.length, undo }
    })
  }
})

export class EditNames extends Service<EditNames>()("EditNames", make) {}
