/** A subcommand of `telephony`. Each has a file of its own, which is loaded when it is called. */
export interface Command {
  /**
   * @param name how the user called it, for messages: "telephony rehearse"
   * @param args what follows the name
   * @returns the exit code
   * @throws UsageError for a mistake in `args`
   */
  run(name: string, args: readonly string[]): Promise<number>;
}
