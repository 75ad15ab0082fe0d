import { commands } from './commands.ts';

const names = commands.map(({ name }) => name).join(' ');
const optionsOf = (name: string) =>
  Object.keys(commands.find((one) => one.name === name)?.options ?? {})
    .map((option) => `--${option}`)
    .join(' ');

/** A script that completes command lines in this shell; undefined for a shell that is not known. */
export function completion(shell: string): string | undefined {
  switch (shell) {
    case 'bash':
      return bash();
    case 'zsh':
      return `#compdef report-library\nautoload -U +X bashcompinit && bashcompinit\n${bash()}`;
    case 'fish':
      return fish();
    default:
      return undefined;
  }
}

function bash(): string {
  const cases = commands.map(({ name }) => `    ${name}) words="${optionsOf(name)}";;`);
  return `_report_library() {
  local words="${names}" current="\${COMP_WORDS[COMP_CWORD]}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="";;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _report_library report-library
`;
}

function fish(): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c report-library -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '’')}'`,
    ...Object.keys(options).map((option) => {
      return `complete -c report-library -n '__fish_seen_subcommand_from ${name}' -l ${option}`;
    }),
  ]);
  return `${lines.join('\n')}\n`;
}
