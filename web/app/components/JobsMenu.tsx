import { useEffect, useRef, useState } from "preact/hooks"
import { progressOf } from "../jobText.ts"
import { ended, running } from "../state/jobs.ts"
import { lazyParts, withParts } from "../state/lazy.ts"
import { Icon } from "./Icon.tsx"
import { JobProgress } from "./JobProgress.tsx"

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

/** The jobs menu: running jobs and recent results, behind a button that shows the first job's progress. */
export const JobsMenu = () => {
  const menu = useRef<HTMLDivElement>(null)
  const [first, ...others] = running.value
  const text = first === undefined ? "" : progressOf(first)
  const said = useThrottled(text)
  const parts = lazyParts.value
  const [, draw] = useState(0)
  useEffect(() => {
    const before = ended.peek()
    return ended.subscribe((job) => {
      if (job !== null && job !== before) void withParts(({ announceEnd }) => announceEnd(job))
    })
  }, [])
  const hide = () => menu.current?.hidePopover()
  return (
    <div class="jobs">
      <button
        type="button"
        class="button jobs-button"
        data-kind="quiet"
        popovertarget="jobs-menu"
        title="Jobs"
      >
        {first === undefined ? (
          <>
            <Icon name="clock" />
            <span class="jobs-text">Jobs</span>
          </>
        ) : (
          <>
            <span class="jobs-now">
              <span class="jobs-text">{text}</span>
              <span class="jobs-bar" aria-hidden="true">
                <JobProgress job={first} />
              </span>
            </span>
            {others.length === 0 ? null : <span class="badge">+{others.length}</span>}
          </>
        )}
      </button>
      <span class="visually-hidden" role="status">
        {said}
      </span>
      <div
        ref={menu}
        id="jobs-menu"
        class="jobs-menu floating"
        popover="auto"
        role="dialog"
        aria-label="Jobs"
        // Ages are computed when the menu opens.
        onToggle={() => draw((n) => n + 1)}
      >
        {parts === null ? null : <parts.JobsPanel hide={hide} />}
      </div>
    </div>
  )
}
