import { Effect, Option } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { Scope } from "../domain/Token.ts"
import { currentToken, requireOneOf } from "../gates/Programs.ts"
import { normalizeCollectionPath } from "../shared/CollectionPath.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { CollectionTree } from "../store/links/CollectionTree.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import type { CollectionEdit, Mutation, NewCollection } from "./api/Bodies.ts"

/** The scope that each change of links needs, beside `share` where it would publish something. */
const byOp: Readonly<Record<Mutation["op"], Scope>> = {
  favorite: "change",
  shareable: "share",
  category: "change",
  collection: "change",
  edit: "change",
  tags: "change",
  note: "change",
  url: "change",
  state: "change",
  refuse: "change",
  merge: "delete",
  delete: "delete",
  restore: "change",
  undo: "change"
}

/**
 * Makes the checks of what a program's token may do by the body of its request. Each fails with the scope that the token
 * lacks; requests of the owner pass.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export const makeProgramScopes = Effect.gen(function* () {
  const changes = yield* ChangeStore
  const tree = yield* CollectionTree
  const links = yield* LinkStore
  const trash = yield* TrashStore

  const shareIf = Effect.fnUntraced(function* <E, R>(publishes: Effect.Effect<boolean, E, R>) {
    const token = yield* currentToken
    if (token === undefined || token.scopes.includes("share")) return
    if (yield* publishes) yield* requireOneOf(["share"])
  })

  const isShared = (given: string | null | undefined) => {
    const path = given == null ? null : normalizeCollectionPath(given)
    return path === null ? Effect.succeed(false) : tree.isSharedAt(path)
  }
  const isSharedNumber = (id: number | null | undefined) =>
    id == null ? Effect.succeed(false) : Effect.map(tree.get(id), ({ shared }) => shared)
  const arePublic = (ids: ReadonlyArray<LinkId>) =>
    Effect.map(Effect.all([links.getAll(ids), trash.getAll(ids)]), (found) =>
      found.flat().some(({ inShared, shareable }) => shareable || inShared)
    )

  const mutation = Effect.fnUntraced(function* (change: Mutation) {
    yield* requireOneOf([byOp[change.op]])
    switch (change.op) {
      case "collection":
      case "edit":
        return yield* shareIf(isShared(change.collection))
      case "merge":
        yield* requireOneOf(["change"])
        return yield* shareIf(arePublic([...change.ids, change.into]))
      case "restore":
        return yield* shareIf(arePublic(change.ids))
      case "delete":
        // Final, and a program does nothing that is.
        return yield* change.forever ? requireOneOf([]) : Effect.void
      case "undo": {
        // A program undoes its own changes alone.
        const token = yield* currentToken
        if (token === undefined || change.token === "last") return
        const author = yield* changes.authorOf(change.token)
        return yield* Option.contains(author, `token:${token.name}`) ? Effect.void : requireOneOf([])
      }
      default:
        return
    }
  })

  return {
    mutation,
    newCollection: ({ name, parent }: NewCollection) =>
      shareIf(Effect.zipWith(isShared(name), isSharedNumber(parent), (one, other) => one || other)),
    collectionEdit: Effect.fnUntraced(function* (id: number, edit: CollectionEdit) {
      const { into, name, parent, shareable } = edit
      if (shareable !== undefined) yield* requireOneOf(["share"])
      yield* shareIf(
        Effect.zipWith(isSharedNumber(into), isSharedNumber(parent), (one, other) => one || other)
      )
      if (name === undefined) return
      // A name of one step stays below its parent.
      const { name: path } = yield* tree.get(id)
      const around = path.split(" / ").slice(0, -1).join(" / ")
      const isOwn = !name.includes(" / ") && around !== ""
      yield* shareIf(
        Effect.gen(function* () {
          if (yield* isSharedNumber(id)) return false
          return yield* isShared(isOwn ? `${around} / ${name}` : name)
        })
      )
    }),
    import: (keepsShared: boolean) => shareIf(Effect.succeed(keepsShared)),
    /** Whether the sender of the request may see what a change has changed. */
    reads: Effect.map(currentToken, (token) => token === undefined || token.scopes.includes("read"))
  }
})
