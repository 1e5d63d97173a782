import { Effect, Layer } from "effect"
import {
  type ClientDocument,
  ClientDocuments,
  ClientDocumentUnread
} from "../../src/domain/ClientDocument.ts"
import { WaybackMachine } from "../../src/enrich/archive/WaybackMachine.ts"
import { PageCheck } from "../../src/enrich/PageCheck.ts"

/** The descriptions that programs publish, by address; each counts how often it was read. */
export const published = new Map<string, ClientDocument & { reads: number }>()

/** Finds every page where it was, and no copy of any; and the descriptions that a test has published. */
export const noOutside = Layer.mergeAll(
  Layer.succeed(ClientDocuments, {
    read: (address) =>
      Effect.suspend(() => {
        const document = published.get(address)
        if (document === undefined) return new ClientDocumentUnread()
        document.reads++
        return Effect.succeed(document)
      })
  }),
  Layer.succeed(PageCheck, {
    look: () => Effect.succeed({ _tag: "Present" }),
    answers: () => Effect.succeed(true)
  }),
  Layer.succeed(WaybackMachine, {
    mayKnow: () => Effect.succeed(false),
    nearest: () => Effect.succeedNone,
    submit: () => Effect.void
  })
)
