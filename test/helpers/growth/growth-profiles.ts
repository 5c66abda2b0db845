/** Every profile of growth: texts that may make some part of the product slow, by the construct that they repeat. */
import { dataProfiles } from './data-profiles.ts'
import { messageProfiles } from './message-profiles.ts'
import type { GrowthProfile } from './profile.ts'
import { proseProfiles } from './prose-profiles.ts'
import { toolProfiles } from './tool-profiles.ts'

/** All profiles, each with a name of its own. */
export const growthProfiles: readonly GrowthProfile[] = [
  ...messageProfiles,
  ...dataProfiles,
  ...toolProfiles,
  ...proseProfiles,
]
