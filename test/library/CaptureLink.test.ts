import { expect } from "bun:test"
import { Effect } from "effect"
import { CaptureLink } from "../../src/library/CaptureLink.ts"
import { Inbox } from "../../src/library/Inbox.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { effectTest } from "../support/effect.ts"
import { eventually } from "../support/fakeEmbeddings.ts"
import { offline } from "../support/libraryOf.ts"

effectTest(offline())(
  "CaptureLink gives up an unreadable stored capture at once and saves the others",
  function* () {
    const [inbox, store, captures] = [yield* Inbox, yield* InboxStore, yield* CaptureLink]
    yield* Effect.forkScoped(inbox.drain({ chat: () => Effect.never, capture: captures.work }))
    const keep = (key: string, payload: string) => inbox.enqueue({ source: "capture", key, payload })
    const broken = yield* keep("1", "no JSON")
    const elsewhere = yield* keep("2", '{"url":"ftp://example.org"}')
    const sound = yield* keep("3", '{"url":"https://example.org"}')
    yield* eventually(Effect.map(store.dead, ({ length }) => length === 2))
    expect((yield* store.dead).map(({ id }) => id)).toEqual([elsewhere.id, broken.id])
    yield* eventually(Effect.map(store.answerOf(sound.id), ({ _tag }) => _tag === "Some"))
  }
)
