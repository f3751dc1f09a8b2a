/** The calls by which code in other languages runs programs, deletes files or creates more code. */

export type CodeLanguage = 'python' | 'js' | 'perl' | 'ruby' | 'php' | 'lua' | 'make' | 'other';

export interface Calls {
  /** Quotes whose text is run by a shell. */
  readonly backticks?: true;
  /** Starts a comment that ends with the line. */
  readonly comment: RegExp;
  /** Runs a program. One text is a command line; several texts are the words of a command. */
  readonly runs: RegExp;
  /** More calls that run a program, if the code loads this module. */
  readonly module?: { readonly name: RegExp; readonly runs: RegExp };
  /** Deletes a folder with everything in it. */
  readonly removesTrees: RegExp;
  /** Lists a folder. Together with a call that deletes, it empties the folder. */
  readonly lists: RegExp;
  /** Deletes a file or an empty folder. */
  readonly removesFiles: RegExp;
  /** Creates code at run time, or calls functions that the text does not name. */
  readonly makes: RegExp;
}

const NEVER = /(?!)/g;

/** Each pattern ends before its bracket or space. The text is searched once. */
export const CALLS: Readonly<Record<CodeLanguage, Calls>> = {
  python: {
    comment: /#/y,
    runs: /\b(?:os\.(?:system|popen|exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)|subprocess\.\w+|commands\.getoutput|getoutput|getstatusoutput|pty\.spawn|Popen|check_(?:call|output)|create_subprocess_\w+|system|popen|\w+\.(?:call|run)(?=\s*\(\s*\[))\s*(?=\()/g,
    removesTrees: /\b(?:rmtree|remove_tree|removedirs)\s*(?=\()/g,
    lists: /\b(?:iterdir|rglob|i?glob|scandir|listdir|walk|fwalk)\s*(?=\()/g,
    removesFiles: /\b(?:os\.(?:remove|unlink|rmdir)|\.unlink|\.rmdir|(?<=[)\w]\.)(?:unlink|rmdir))\s*(?=\()/g,
    makes:
      /\b(?:eval|exec|compile|getattr|runpy\.\w+|import_module|__builtins__|ctypes|marshal\.loads|pickle\.loads)\b|\b__import__\s*\((?!\s*\uE001)|\b(?:globals|vars|locals)\s*\(\s*\)\s*\[/g,
  },
  js: {
    comment: /\/\//y,
    runs: /\b(?:execSync|execFileSync|execFile|spawnSync|Deno\.(?:run|Command)|Bun\.spawn(?:Sync)?|execa(?:Sync|Command|CommandSync)?)\s*(?=\()|\bBun\.\$|\$\s*(?=\uE001)/g,
    module: { name: /^(?:node:)?child_process$/, runs: /\b(?:exec|spawn|fork)\s*(?=\()/g },
    removesTrees:
      /\b(?:rmSync|rmdirSync|rm|rmdir|rimraf(?:\.sync)?|removeSync|emptyDirSync|Deno\.remove(?:Sync)?|del(?:eteSync)?)\s*(?=\()/g,
    lists:
      /\b(?:readdir(?:Sync)?|opendir(?:Sync)?|glob(?:Sync)?|walk(?:Sync)?|readDir(?:Sync)?|fg|globby)\s*(?:\.\w+\s*)?(?=\()/g,
    removesFiles: /\b(?:unlinkSync|unlink)\s*(?=\()/g,
    makes:
      /\beval\s*\(|\bFunction\s*\(|\bvm\.\w+|\bprocess\.(?:binding|dlopen|_linkedBinding)|\b(?:require|import)\s*\((?!\s*(?:\uE001|['"`]))|\b(?:globalThis|global|process)\s*\[(?!\uE001)/g,
  },
  perl: {
    backticks: true,
    comment: /(?<![$&@\w])#/y,
    runs: /\b(?:system|exec|qx|open|syscall|IPC::\w+|run|capture)\b\s*(?=[({[\uE001\s@$])/g,
    removesTrees: /\b(?:rmtree|remove_tree)\b\s*(?=[({[\uE001\s@$])/g,
    lists: /\b(?:glob|readdir|find|finddepth|<\$?\w*>)\b\s*(?=[({[\uE001\s@$])/g,
    removesFiles: /\b(?:unlink|rmdir)\b\s*(?=[({[\uE001\s@$<;])/g,
    makes:
      /\beval\s*(?=[\uE001$("'])|\bdo\s+(?=[\uE001$])|[/}|#!][gimsxr]*e[gimsxre]*\s*(?=;|$|\n|\})|\b(?:require|no strict)\s*\$/g,
  },
  ruby: {
    backticks: true,
    comment: /#(?!\{)/y,
    runs: /(?:\b(?:system|exec|spawn|popen|popen[23]e?|capture[23]e?|pipeline\w*|sh|open)\b|%x)\s*(?=[({[|\uE001\s])/g,
    removesTrees: /\b(?:rm_rf|rm_r|rmtree|remove_dir|remove_entry\w*|remove_entry)\b\s*(?=[({\uE001\s;]|$)/g,
    lists:
      /\b(?:Dir(?:\.(?:glob|entries|children|each_child|foreach))?|Find\.find|(?:children|entries|each_child|glob))\s*(?=[([{\uE001\s.])/g,
    removesFiles:
      /\b(?:(?:File|Dir|FileUtils|Pathname)\.(?:delete|unlink|rmdir|rm|rm_f|remove)|(?<=\.)(?:unlink|rmdir|delete))\b\s*(?=[({\uE001\s]|$)/g,
    makes:
      /\b(?:eval|instance_eval|class_eval|send|public_send|__send__|const_get|load)\b\s*(?=[(\uE001\s])/g,
  },
  php: {
    backticks: true,
    comment: /(?:\/\/|#(?!\[))/y,
    runs: /\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec)\s*(?=\()/g,
    removesTrees: NEVER,
    lists: /\b(?:glob|scandir|opendir|dir|(?:Recursive)?DirectoryIterator)\s*(?=\()/g,
    removesFiles: /\b(?:unlink|rmdir)\s*(?=\()|\barray_(?:map|walk)\s*(?=\()/g,
    makes: /\b(?:eval|assert|create_function|call_user_func(?:_array)?|base64_decode)\s*\(|\$\w+\s*\(/g,
  },
  lua: {
    comment: /--/y,
    runs: /\b(?:os\.execute|io\.popen)\s*(?=[(\uE001\s])/g,
    removesTrees: NEVER,
    lists: /\b(?:lfs\.dir|io\.popen)\s*(?=[(\uE001\s])/g,
    removesFiles: /\bos\.remove\s*(?=[(\uE001\s])/g,
    makes: /\b(?:load|loadstring|dofile|loadfile)\s*(?=[(\uE001\s])/g,
  },
  make: {
    comment: /(?!)/y,
    runs: NEVER,
    removesTrees: NEVER,
    lists: NEVER,
    removesFiles: NEVER,
    makes: /\$\(eval\b/g,
  },
  other: {
    comment: /(?!)/y,
    runs: /\b(?:system|exec|shell|spawn|popen|run|Process\.run|shell-command|call-process|start-process|do shell script|os\.execute|io\.popen|termopen|systemlist|jobstart|syscmd|esyscmd|os:cmd|System\.cmd|sh)\b[ \t]*(?=[({\uE001\s])/g,
    removesTrees:
      /\b(?:delete-directory|rmtree|rm_rf|file delete)\b!?\s*(?=[({\uE001\s])|\b(?:rm|delete)(?=\()/g,
    lists:
      /\b(?:list\.files|directory-files(?:-recursively)?|readdir|walkdir|glob|globpath|dir)\s*(?=[({\uE001\s])/g,
    removesFiles: /\b(?:delete-file|unlink|file\.remove)\b\s*(?=[({\uE001\s])/g,
    makes: /\b(?:eval|evaluate)\b\s*(?=[(\uE001])/g,
  },
};
