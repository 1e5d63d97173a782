import { useEffect, useRef, useState } from "preact/hooks"
import { open } from "../state/dialogs.ts"
import { connected } from "../state/events.ts"
import { ended, running } from "../state/jobs.ts"
import { lazyParts, loadLazyParts } from "../state/lazy.ts"
import { Button, IconButton } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { Logo } from "./Logo.tsx"
import { SearchField } from "./SearchField.tsx"

const JobsMenu = () => {
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
        class="jobs-menu popover floating"
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

const LiveDot = () => {
  const text = connected.value ? "Live: changes appear automatically" : "Offline: reconnecting"
  return (
    <span class="live" data-on={connected.value} title={text} role="status">
      <span class="visually-hidden">{text}</span>
    </span>
  )
}

export const Header = () => (
  <header class="header">
    <IconButton
      icon="menu"
      label="Menu"
      class="icon-button header-menu"
      aria-haspopup="dialog"
      onClick={() => open({ kind: "sidebar" })}
    />
    <a class="brand" href="/dashboard">
      <Logo />
      <span>Linkbower</span>
    </a>
    <SearchField />
    <div class="header-tools">
      <LiveDot />
      <IconButton
        icon="keyboard"
        label="Commands"
        class="icon-button header-commands"
        title="Commands (Ctrl+K)"
        onClick={() => open({ kind: "palette" })}
      />
      <JobsMenu />
      <Button
        icon="plus"
        class="button header-add"
        kind="primary"
        title="Add a link (a)"
        needsService
        onClick={() => open({ kind: "add" })}
      >
        Add<span class="visually-hidden"> a link</span>
      </Button>
    </div>
  </header>
)
