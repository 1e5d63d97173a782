import { close, dialog } from "../state/dialogs.ts"
import { ThemeButton } from "./Appearance.tsx"
import { DensityButton } from "./DensityButton.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { Footer, Navigation } from "./Sidebar.tsx"

/** The sidebar on small screens. */
export const Drawer = () =>
  dialog.value?.kind === "sidebar" ? (
    <Dialog label="Library" onClose={close} class="drawer">
      <div class="drawer-tools">
        <DensityButton />
        <ThemeButton />
        <button type="button" class="icon-button" onClick={close}>
          <Icon name="close" />
          <span class="visually-hidden">Close</span>
        </button>
      </div>
      <Navigation />
      <Footer />
    </Dialog>
  ) : null
