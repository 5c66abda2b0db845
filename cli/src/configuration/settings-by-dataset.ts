/** The configuration of each dataset of a run. */
import { resolve } from 'node:path'
import type { DatasetMapping, PathSettings } from '../../../core/src/internal.ts'
import type { OptionValues } from '../arguments.ts'
import { fileNote, type Note } from '../dataset/sample-results.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { isTranscriptName } from '../files/json-conversation.ts'
import { standardInput } from '../files/read-source.ts'
import { assertOneConfiguration, Configurations, type configurationOptions } from './configurations.ts'

/** Settings by dataset. */
export interface DatasetSettings {
  /** Reads the settings of the dataset at `path`; what is wrong with them. */
  readonly begin: (path: string) => Promise<readonly Note[]>
  /** The settings that were read. */
  of(path: string): Promise<PathSettings>
  /**
   * How the columns of the conversation at `path` are called, where they are not to be recognized; undefined for standard input.
   *
   * @throws FileProblem for a mistake that {@link begin} has not returned: the columns may be others; a transcript has none
   */
  mappingOf(path: string | undefined): Promise<DatasetMapping | undefined>
}

/** The settings as the options say. @throws UsageError if they contradict each other */
export function datasetSettings(values: OptionValues<typeof configurationOptions>): DatasetSettings {
  assertOneConfiguration(values)
  const complaints: { readonly problem: FileProblem; readonly isError: boolean }[] = []
  const configurations = new Configurations({
    file: values.config,
    isOff: values['no-config'],
    onComplaint: (problem, isError) => void complaints.push({ problem, isError }),
  })
  const settingsOf = (path: string) => configurations.settingsFor(resolve(path))
  return {
    of: settingsOf,
    mappingOf: async (path) => {
      if (path === undefined || path === standardInput) return undefined
      const { mapping } = await settingsOf(path)
      const mistake = isTranscriptName(path) ? undefined : complaints.splice(0).find(({ isError }) => isError)
      if (mistake) throw mistake.problem
      return mapping
    },
    begin: async (path) => {
      await settingsOf(path)
      return complaints
        .splice(0)
        .map(({ problem, isError }) =>
          isError ? fileNote(problem) : { kind: 'remark', text: problem.message },
        )
    },
  }
}
