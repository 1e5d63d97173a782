/** @jsxImportSource preact */
import { Frame } from "./Frame.tsx"

/** The service's own address for a stranger, while nothing is shared: it tells nothing about the library. */
export const Door = () => (
  <Frame needsScripts={false} title="A private library of links">
    <p>
      <a class="button" data-kind="primary" href="/signin">
        Sign in
      </a>
    </p>
  </Frame>
)
