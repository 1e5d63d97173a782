import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import type { NameKind } from "../domain/Label.ts"
import { EditCollections } from "../library/EditCollections.ts"
import { EditNames } from "../library/EditNames.ts"
import { Api } from "./api/Api.ts"
import type { CollectionEdit, NameEdit } from "./api/Bodies.ts"
import { BadRequest } from "./api/Failures.ts"
import { makeProgramScopes } from "./ProgramScopes.ts"

/** Handles the owner's API for tags, categories and collections. */
export const layer = HttpApiBuilder.group(
  Api,
  "things",
  Effect.fn(function* (handlers) {
    const names = yield* EditNames
    const collections = yield* EditCollections
    const scopes = yield* makeProgramScopes

    const editName = (kind: NameKind, name: string, edit: NameEdit) =>
      names.edit(kind, name, edit.into === undefined ? { name: edit.name } : { into: edit.into })

    const editCollection = (id: number, { into, ...edit }: CollectionEdit) => {
      const isAlone = Object.values(edit).every((value) => value === undefined)
      if (into === undefined)
        return isAlone
          ? new BadRequest("The request needs at least one field to change.")
          : collections.edit(id, edit)
      return isAlone
        ? collections.merge(id, into)
        : new BadRequest('The field "into" cannot be combined with other fields.')
    }

    return handlers
      .handle("tags", () => Effect.map(names.list("tag"), ({ names: tags, ...more }) => ({ tags, ...more })))
      .handle("tag", ({ path }) => Effect.map(names.get("tag", path.name), (tag) => ({ tag })))
      .handle("editTag", ({ path, payload }) =>
        Effect.map(editName("tag", path.name, payload), ({ thing, ...more }) => ({ tag: thing, ...more }))
      )
      .handle("removeTag", ({ path }) => names.remove("tag", path.name))
      .handle("categories", () =>
        Effect.map(names.list("category"), ({ names: categories, ...more }) => ({ categories, ...more }))
      )
      .handle("category", ({ path }) =>
        Effect.map(names.get("category", path.name), (category) => ({ category }))
      )
      .handle("editCategory", ({ path, payload }) =>
        Effect.map(editName("category", path.name, payload), ({ thing, ...more }) => ({
          category: thing,
          ...more
        }))
      )
      .handle("removeCategory", ({ path }) => names.remove("category", path.name))
      .handle("collections", () => collections.list)
      .handle("collection", ({ path }) =>
        Effect.map(collections.get(path.id), (collection) => ({ collection }))
      )
      .handle("createCollection", ({ payload }) =>
        Effect.zipRight(
          scopes.newCollection(payload),
          Effect.map(collections.create(payload), ({ collection, undo }) => ({ collection, undo }))
        )
      )
      .handle("editCollection", ({ path, payload }) =>
        Effect.gen(function* () {
          yield* scopes.collectionEdit(path.id, payload)
          return yield* editCollection(path.id, payload)
        })
      )
      .handle("removeCollection", ({ path }) => collections.remove(path.id))
  })
)
