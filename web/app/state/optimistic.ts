import { requireService } from "./connection.ts"
import { record, type Step, settle, undo } from "./history.ts"
import { refill } from "./list.ts"
import { refreshMeta } from "./meta.ts"
import { type Concerned, inOrder } from "./queue.ts"
import { tell, tellFailure } from "./toasts.ts"

/** A change that is shown before the service has accepted it. */
interface Optimistic<A> {
  /** What it did, for the history: a sentence without its period; absent if nothing can undo it. */
  readonly name?: string
  readonly ids: Concerned
  readonly send: () => Promise<A>
  /** Shows the answer in the place of what was shown before it. */
  readonly accept?: (answer: A) => void
  /** Takes back what was shown. */
  readonly revert?: () => void
  /** What to say when it is done. */
  readonly done: (answer: A) => string
  /** How to begin the message of a failure. */
  readonly failed?: string
  /** Reports why it was rejected; by default in a message. */
  readonly onRejected?: (error: unknown) => void
}

const offerUndo = (text: string, step: Step): void => {
  step.message = tell(
    text,
    step.tokens.length === 0 ? {} : { action: { label: "Undo", run: () => undo(step) } }
  )
}

/**
 * Sends a change that is shown already after earlier changes of the same links, and confirms it; takes it back and says why
 * if the service rejects it. Returns whether it succeeded.
 */
export const optimistic = async <A extends { readonly undo?: string | undefined }>({
  accept,
  done,
  failed = "Not changed.",
  ids,
  name,
  onRejected = (error) => tellFailure(failed, error),
  revert,
  send
}: Optimistic<A>): Promise<boolean> => {
  const step = name === undefined ? undefined : record(name, ids)
  const complete = (token?: string) => {
    if (step !== undefined) settle(step, token === undefined ? [] : [token])
  }
  try {
    // Completed here, so that an undo that waits for its turn finds it complete.
    const answer = await inOrder(ids, async () => {
      requireService()
      const sent = await send()
      complete(sent.undo)
      return sent
    })
    accept?.(answer)
    if (step === undefined) tell(done(answer))
    else offerUndo(done(answer), step)
    refill()
    refreshMeta()
    return true
  } catch (error) {
    complete()
    revert?.()
    onRejected(error)
    return false
  }
}
