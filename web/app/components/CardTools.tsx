import { actionsOn } from "../actions/registry.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { keyText } from "./KeyNames.tsx"

/** The actions that a card shows beside the button of its menu while it is pointed at or has the focus. */
export const CardTools = ({ id }: { readonly id: number }) => (
  <>
    {actionsOn([id])
      .filter(({ isTool }) => isTool)
      .map(({ icon, isReverse, keys: [key] = [], name, perform }) => (
        <Button
          key={icon}
          class="icon-button"
          title={key === undefined ? name : `${name} (${keyText(key)})`}
          aria-label={name}
          data-reverse={isReverse}
          needsService
          onClick={() => perform([id])}
        >
          <Icon name={icon} filled={isReverse === true && icon === "star"} />
        </Button>
      ))}
  </>
)
