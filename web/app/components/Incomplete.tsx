import { count } from "../../../src/shared/Format.ts"
import { api, type Failures } from "../api.ts"
import { progressOf } from "../jobText.ts"
import { running } from "../state/jobs.ts"
import { hrefOf } from "../state/route.ts"
import { start } from "../state/startJobs.ts"
import { tellFailure } from "../state/toasts.ts"
import { views } from "../views.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { useLoaded } from "./useLoaded.tsx"

type Arrival = Failures["arrivals"][number]

const FailedArrival = ({
  arrival,
  onDone
}: {
  readonly arrival: Arrival
  readonly onDone: (remaining: Failures) => void
}) => {
  const act = (work: (id: number) => Promise<Failures>, failed: string) => () =>
    void work(arrival.id).then(onDone, (error) => tellFailure(failed, error))
  return (
    <li class="row">
      <span class="grow">{arrival.text === "" ? "A message without text" : arrival.text}</span>
      <Button class="link-button" onClick={act(api.retryArrival, "Could not retry.")}>
        Try again
      </Button>
      <Button class="link-button" onClick={act(api.forgetArrival, "Could not dismiss.")}>
        Dismiss
      </Button>
    </li>
  )
}

/** From this number of incomplete links on, the whole library says so. */
const MANY = 20

/** Retries the incomplete links; its progress while that runs. */
const Retry = ({ disabled, label }: { readonly disabled: boolean; readonly label: string }) => {
  const job = running.value.find(({ action }) => action === "retry")
  return job === undefined ? (
    <Button disabled={disabled} onClick={() => void start({ action: "retry" })}>
      {label}
    </Button>
  ) : (
    <span role="status">{progressOf(job)}</span>
  )
}

/**
 * The bar above the incomplete links: retries them, and lists messages and captures that could not be saved. Above the
 * whole library it says how many they are, if they are many.
 */
export const Incomplete = ({ isReview }: { readonly isReview: boolean }) => {
  const retry = running.value.find(({ action }) => action === "retry")?.id
  const { set, value: failures } = useLoaded(api.failures, [retry])
  const { arrivals = [], partial = 0 } = failures ?? {}
  if (!isReview)
    return partial < MANY ? null : (
      <section class="banner boxed row" aria-label="Incomplete links">
        <Icon name="attention" />
        <span class="grow">The page or summary of {count(partial, "link")} is missing.</span>
        <Retry label="Retry" disabled={false} />
        <a class="button" href={hrefOf(views.incomplete.filters)}>
          Review
        </a>
      </section>
    )
  return (
    <section class="stack hint" aria-label="Incomplete links">
      <p>
        <Retry
          label="Retry all"
          disabled={failures !== undefined && partial === 0 && arrivals.length === 0}
        />
      </p>
      {arrivals.length === 0 ? null : (
        <>
          <h2>{count(arrivals.length, "message or capture", "messages or captures")} could not be saved</h2>
          <ul>
            {arrivals.map((arrival) => (
              <FailedArrival arrival={arrival} onDone={set} key={arrival.id} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
