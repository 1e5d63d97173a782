import { needsService } from "../state/connection.ts"
import { open } from "../state/dialogs.ts"
import { connected } from "../state/events.ts"
import { Icon } from "./Icon.tsx"
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
    <button
      type="button"
      class="icon-button header-menu"
      aria-haspopup="dialog"
      onClick={() => open({ kind: "sidebar" })}
    >
      <Icon name="menu" />
      <span class="visually-hidden">Menu</span>
    </button>
    <a class="brand" href="/dashboard">
      <Logo />
      <span>Linkbower</span>
    </a>
    <SearchField />
    <div class="header-tools">
      <LiveDot />
      <button
        type="button"
        class="icon-button header-commands"
        title="Commands (Ctrl+K)"
        onClick={() => open({ kind: "palette" })}
      >
        <Icon name="keyboard" />
        <span class="visually-hidden">Commands</span>
      </button>
      <JobsMenu />
      <button
        type="button"
        class="button header-add"
        data-kind="primary"
        title="Add a link (a)"
        {...needsService()}
        onClick={() => open({ kind: "add" })}
      >
        <Icon name="plus" />
        Add<span class="visually-hidden"> a link</span>
      </button>
    </div>
  </header>
)
