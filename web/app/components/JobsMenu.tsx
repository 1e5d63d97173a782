import { useEffect, useRef, useState } from "preact/hooks"
import { ended, running } from "../state/jobs.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

/** The jobs menu: running jobs and recent results, behind a button that shows the first job's progress. */
export const JobsMenu = () => {
  const menu = useRef<HTMLDivElement>(null)
  const isRunning = running.value.length > 0
  const parts = lazyParts.value
  const [, draw] = useState(0)
  // Those announce the end of a job too.
  const isNeeded = isRunning || ended.value !== null
  useEffect(() => void (isNeeded && loadLazyParts()), [isNeeded])
  const hide = () => menu.current?.hidePopover()
  return (
    <div class="jobs">
      <Button class="button jobs-button" kind="quiet" popovertarget="jobs-menu" title="Jobs">
        {isRunning && parts !== null ? (
          <parts.RunningJobs />
        ) : (
          <>
            <Icon name="clock" />
            <span class="jobs-text">Jobs</span>
          </>
        )}
      </Button>
      {parts === null ? null : <parts.JobsStatus />}
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
