import { open } from "../state/dialogs.ts"
import { connected } from "../state/events.ts"
import { Button, IconButton } from "./Button.tsx"
import { JobsMenu } from "./JobsMenu.tsx"
import { Logo } from "./Logo.tsx"
import { SearchField } from "./SearchField.tsx"

const LiveDot = () => {
  const text = connected.value ? "Live: changes appear automatically" : "Offline: reconnecting"
  return (
    <span class="live" data-on={connected.value} title={text} role="status">
      <span class="visually-hidden">{text}</span>
    </span>
  )
}

/** The header: search, running jobs and appearance. */
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
