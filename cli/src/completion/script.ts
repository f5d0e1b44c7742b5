/**
 * Scripts that complete hmsctl in a shell. What to complete is decided by one POSIX script in all shells, from tables that
 * are generated from the commands. Only the names of hospitals and contexts are asked for, because starting hmsctl takes
 * more than a second.
 */
import type { Choosable, Node, Values } from './tree.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** @returns the script to source. `sh` defines only `__hmsctl_complete`, for other programs. */
export function completionScript(nodes: readonly Node[], shell: Shell | 'sh'): string {
  const core = posixScript(nodes);
  return { bash: `${core}${BASH}`, zsh: `#compdef hmsctl\n${core}${ZSH}`, fish: fish(core), sh: core }[shell];
}

/**
 * `__hmsctl_complete word… last` prints what `last` can become: a word, and its description after a tab. A last line
 * `:files` or `:folders` leaves the rest to the shell.
 */
function posixScript(nodes: readonly Node[]): string {
  const childCases = nodes.flatMap(({ path, children }) =>
    children.map(
      (child) => `${child.names.map((name) => quoted(`${path}/${name}`)).join('|')}) echo ${quoted(child.path)};;`,
    ),
  );
  const takes = nodes.flatMap(({ path, options }) =>
    options.filter(({ values }) => values).map(({ names }) => names.map((name) => quoted(`${path}/${name}`)).join('|')),
  );
  const optionValues = nodes.flatMap(({ path, options }) =>
    options.flatMap(({ names, values }) =>
      values ? [`${names.map((name) => quoted(`${path}/${name}`)).join('|')}) ${printed(values)};;`] : [],
    ),
  );
  return `__hmsctl_child() { case $1/$2 in
${childCases.join('\n')}
esac; }
__hmsctl_takes() { case $1/$2 in
${takes.join('|\\\n')}) return 0;;
esac; return 1; }
__hmsctl_values() { case $1/$2 in
${optionValues.join('\n')}
esac; }
__hmsctl_words() { case $1 in
${nodes.map((node) => `${quoted(node.path)}) ${wordsOf(node)};;`).join('\n')}
esac; }
__hmsctl_options() { case $1 in
${nodes.map((node) => `${quoted(node.path)}) ${lines(node.options.map(optionLine))};;`).join('\n')}
esac; }
${CORE}`;
}

function wordsOf({ children, values }: Node): string {
  if (children.length === 0) return printed(values);
  return lines(children.map(({ names, description }) => `${names[0]}\t${description}`));
}

function optionLine({ names, description }: Choosable): string {
  return `${names[0]}\t${description}`;
}

function printed(values: Values): string {
  if ('words' in values) return lines(values.words);
  return values.from === 'nothing' ? ':' : `echo :${values.from}`;
}

function lines(words: readonly string[]): string {
  return `printf '%s\\n' ${words.map((word) => quoted(word.replace(/\s*\n\s*/g, ' '))).join(' ')}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** In a subshell, so that no variable of the shell is touched. */
const CORE = String.raw`__hmsctl_complete() (
  path= option= kubeconfig= kubecontext= last= left=$#
  for word in "$@"; do
    left=$((left - 1))
    if [ "$left" -eq 0 ]; then last=$word; break; fi
    if [ -n "$option" ]; then
      case $option in --kubeconfig) kubeconfig=$word;; --kube-context) kubecontext=$word;; esac
      option=
      continue
    fi
    case $word in
      --kubeconfig=*) kubeconfig=${'$'}{word#*=};;
      --kube-context=*) kubecontext=${'$'}{word#*=};;
      -*=*) ;;
      -*) if __hmsctl_takes "$path" "$word"; then option=$word; fi;;
      *) child=$(__hmsctl_child "$path" "$word"); if [ -n "$child" ]; then path=$child; fi;;
    esac
  done
  before=
  if [ -n "$option" ]; then found=$(__hmsctl_values "$path" "$option")
  else
    case $last in
      --*=*) before=${'$'}{last%%=*}=; found=$(__hmsctl_values "$path" "${'$'}{last%%=*}");;
      -*) found=$(__hmsctl_options "$path");;
      *) found=$(__hmsctl_words "$path");;
    esac
  fi
  case $found in
    :files|:folders) echo "$found"; exit;;
    :*)
      set -- "${'$'}{found#:}"
      if [ -n "$kubeconfig" ]; then set -- "$@" --kubeconfig "$kubeconfig"; fi
      if [ -n "$kubecontext" ]; then set -- "$@" --kube-context "$kubecontext"; fi
      found=$("${'$'}{HMSCTL:-hmsctl}" __complete "$@" 2>/dev/null);;
  esac
  printf '%s\n' "$found" | while IFS= read -r line; do
    case $before$line in '') ;; "$last"*) printf '%s\n' "$before$line";; esac
  done
)
`;

/** Bash splits words also at = : and @, and replaces only what is behind the last of them. */
const BASH = String.raw`_hmsctl() {
  local line cut typed=${'$'}{COMP_LINE:0:COMP_POINT}
  local -a words
  read -ra words <<<"$typed"
  case $typed in *[[:space:]]) words+=('');; esac
  local last=${'$'}{words[${'$'}{#words[@]} - 1]}
  cut=${'$'}{last%"${'$'}{last##*[=:@]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${'$'}{COMP_WORDS[COMP_CWORD]#=}");;
      :folders) compopt -o filenames; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "${'$'}{COMP_WORDS[COMP_CWORD]#=}");;
      *) line=${'$'}{line%%$'\t'*}; case $line in *=) compopt -o nospace;; esac; COMPREPLY+=("${'$'}{line#"$cut"}");;
    esac
  done < <(__hmsctl_complete "${'$'}{words[@]:1}")
}
complete -F _hmsctl hmsctl
`;

const ZSH = String.raw`_hmsctl() {
  local line
  local -a typed found
  typed=("${'$'}{(@)words[2,CURRENT]}")
  for line in "${'$'}{(@f)$(emulate sh; __hmsctl_complete "${'$'}{typed[@]}")}"; do
    case $line in
      '') ;;
      :files) _files; return;;
      :folders) _files -/; return;;
      *$'\t'*) found+=("${'$'}{${'$'}{line%%$'\t'*}//:/\\:}:${'$'}{line#*$'\t'}");;
      *) found+=("${'$'}{line//:/\\:}");;
    esac
  done
  _describe hmsctl found
}
# As a file in fpath, it is called. Otherwise it is sourced.
if [ "${'$'}{funcstack[1]}" = _hmsctl ]; then _hmsctl; else compdef _hmsctl hmsctl; fi
`;

function fish(core: string): string {
  const script = `${core}__hmsctl_complete "$@"`.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `function __hmsctl_fish
  set -l typed (commandline -opc) (commandline -ct)
  for line in (sh -c '${script}' hmsctl $typed[2..-1])
    switch $line
      case :files :folders
        __fish_complete_path (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c hmsctl -f -a '(__hmsctl_fish)'
`;
}
