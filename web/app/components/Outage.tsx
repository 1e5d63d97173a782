import { OUTAGE, outage } from "../state/connection.ts"

/** The banner shown while the service cannot be reached; it goes away with the outage. */
export const Outage = () => (
  <div class="outage" role="status">
    {outage.value === undefined ? null : (
      <p id={OUTAGE}>
        <strong>{outage.value}</strong> You can read what is loaded. Searches and changes have to wait.
      </p>
    )}
  </div>
)
