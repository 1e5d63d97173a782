import { useEffect, useRef, useState } from "preact/hooks"
import { progressOf } from "../jobText.ts"
import { running } from "../state/jobs.ts"
import { JobProgress } from "./JobParts.tsx"

/** Minimum interval between progress announcements, in milliseconds. */
const ANNOUNCE_INTERVAL = 10_000

/** The text to announce, throttled. */
const useThrottled = (text: string): string => {
  const [said, setSaid] = useState("")
  const last = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (text === "") return setSaid("")
    const wait = Math.max(0, last.current + ANNOUNCE_INTERVAL - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return said
}

/** Announces the progress of the first running job. */
export const JobsStatus = () => {
  const [first] = running.value
  const said = useThrottled(first === undefined ? "" : progressOf(first))
  return (
    <span class="visually-hidden" role="status">
      {said}
    </span>
  )
}

/** The first running job and the number of others, for the button of the menu. */
export const RunningJobs = () => {
  const [first, ...others] = running.value
  return first === undefined ? null : (
    <>
      <span class="jobs-now">
        <span class="jobs-text">{progressOf(first)}</span>
        <span class="jobs-bar" aria-hidden="true">
          <JobProgress job={first} />
        </span>
      </span>
      {others.length === 0 ? null : <span class="badge">+{others.length}</span>}
    </>
  )
}
