import { Effect } from "effect"
import type { StoreUnavailable } from "../../src/domain/StoreUnavailable.ts"
import { type Saved, SaveLink, type SaveRequest } from "../../src/library/SaveLink.ts"
import { Transaction } from "../../src/store/Transaction.ts"

/** A request to save the address. */
export const requestOf = (address: string, more: Partial<SaveRequest> = {}): SaveRequest => ({
  given: address,
  url: new URL(address),
  note: "",
  tags: [],
  hints: {},
  ...more
})

/** What a caller stores together with the finished links. */
export type Settle = (saved: ReadonlyArray<Saved>) => Effect.Effect<void, StoreUnavailable>

/** Saves the addresses as the chat does: claims them, describes them, and finishes them together with `settle`. */
export const saveAll = Effect.fnUntraced(function* (
  requests: ReadonlyArray<SaveRequest>,
  {
    reEnrich = false,
    settle = () => Effect.void
  }: { readonly reEnrich?: boolean; readonly settle?: Settle | undefined } = {}
) {
  const saving = yield* SaveLink
  const transaction = yield* Transaction
  const claims = yield* saving.upsert(requests)
  const drafts = yield* saving.enrich(claims, { reEnrich, skipReading: false })
  return yield* transaction(Effect.tap(saving.finish(drafts, "chat"), settle))
})
