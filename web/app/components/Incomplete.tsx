import { useEffect, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { api, type Failures } from "../api.ts"
import { progressOf } from "../jobText.ts"
import { running, start } from "../state/jobs.ts"
import { tellFailure } from "../state/toasts.ts"

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
    <li>
      <span class="incomplete-text">{arrival.text === "" ? "A message without text" : arrival.text}</span>
      <span class="incomplete-actions">
        <button type="button" class="link-button" onClick={act(api.retryArrival, "Could not retry.")}>
          Try again
        </button>
        <button type="button" class="link-button" onClick={act(api.forgetArrival, "Could not dismiss.")}>
          Dismiss
        </button>
      </span>
    </li>
  )
}

/** The bar above the incomplete links: retries them, and lists messages and captures that could not be saved. */
export const Incomplete = () => {
  const [failures, setFailures] = useState<Failures | null>(null)
  const job = running.value.find(({ action }) => action === "retry")
  const load = () => void api.failures().then(setFailures, () => setFailures(null))
  useEffect(load, [job?.id])
  const arrivals = failures?.arrivals ?? []
  const nothing = failures !== null && failures.partial === 0 && arrivals.length === 0
  return (
    <section class="incomplete" aria-label="Incomplete links">
      <p class="incomplete-head">
        {job === undefined ? (
          <>
            <span>Page or summary missing. Linkbower retries automatically, less often over time.</span>
            <button
              type="button"
              class="button"
              disabled={nothing}
              onClick={() => void start({ action: "retry" })}
            >
              Try all again
            </button>
          </>
        ) : (
          <span role="status">{progressOf(job)}</span>
        )}
      </p>
      {arrivals.length === 0 ? null : (
        <>
          <h2>{count(arrivals.length, "message or capture", "messages or captures")} could not be saved</h2>
          <ul>
            {arrivals.map((arrival) => (
              <FailedArrival arrival={arrival} onDone={setFailures} key={arrival.id} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
