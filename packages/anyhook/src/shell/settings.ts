/** Environment variables that change what a command runs. */

/** The value is a command line that another program runs later. */
export const COMMAND_SETTINGS: ReadonlySet<string> = new Set(
  `PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER GH_PAGER DELTA_PAGER BAT_PAGER EDITOR VISUAL FCEDIT
   GIT_EDITOR GIT_SEQUENCE_EDITOR SUDO_EDITOR KUBE_EDITOR GH_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS
   SSH_ASKPASS SUDO_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND RSYNC_RSH CVS_RSH BROWSER LESSOPEN
   LESSCLOSE PROMPT_COMMAND FZF_DEFAULT_COMMAND`.split(/\s+/),
);

/** The value is a file that a shell runs first. */
export const FILE_SETTINGS: ReadonlySet<string> = new Set(['BASH_ENV', 'ENV']);
/** The value contains options of an interpreter. */
export const OPTION_SETTINGS: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'BUN_OPTIONS']);

/** The value is code, or names code. */
export const CODE_SETTINGS =
  /^(?:BASH_FUNC_.*|BASH_ALIASES|BASH_CMDS|functions|aliases|galiases|saliases|dis_\w+|commands|nameddirs|GIT_CONFIG_(?:COUNT|KEY_\w+|VALUE_\w+|PARAMETERS)|PS[0124]|PERL5DB|RUBYOPT|PERL5OPT)$/;

/** An approval does not apply if one of these is set, because another program, library or start-up file may run. */
export const SENSITIVE_SETTINGS =
  /^(?:PATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|SHELL|HOME|CDPATH|GLOBIGNORE|POSIXLY_CORRECT|EXECIGNORE|FUNCNEST|TMPDIR|XDG_\w+|ZDOTDIR|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|TEXTDOMAINDIR|PYTHON\w+|NODE_\w+|NPM_\w+|npm_\w+|PERL\w*|RUBY\w*|GEM_\w+|BUNDLE_\w+|PHP\w*|LUA\w*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAKEFLAGS|MAKEFILES|GIT_\w+|SSH_\w+|GREP_OPTIONS|LESS\w*|MANOPT|TAR_OPTIONS|RSYNC_\w+|CURL_HOME|WGETRC|DOCKER_\w+|KUBECONFIG|AWS_\w+|\w+_PROXY|\w+_proxy|BASH_\w+|PROMPT_\w+|PS[0-4])$/;
