/** Hooks that somebody packed: a folder of files, known by its dialect, and how a settings file names what is in it. */
import type { Fields } from './effects.ts';
import { isFields } from './fields.ts';

/** An item of `hookPaths`; paths are below the pack. */
export type PackEntry =
  | string
  | { readonly path: string; readonly dialect: string; readonly settings?: string };

/** A folder as it is looked at: the dialect itself touches nothing. */
export interface PackLook {
  /** Paths below it, with `/`. */
  readonly files: readonly string[];
  /** Its `package.json`; empty where there is none. */
  readonly manifest: Fields;
  json(path: string): Fields | undefined;
  /** Is it a module of ours: does it call `defineHook`, or hold callbacks by event? */
  holdsOwnHooks(path: string): boolean;
  /** Where its `package.json` says that it starts. */
  start(): string | undefined;
  /** What its `package.json` lists as extensions, or what lies where those lie. */
  extensions(): readonly string[];
}
/** What one folder is to one dialect. */
export interface KnownPack {
  readonly entries: readonly PackEntry[];
  /** The files that hold hooks, for people. */
  readonly modules: readonly string[];
  /** Of the other files only those that these name belong to it: the rest is somebody's project. */
  readonly isProject?: true;
}
export interface PackTerms {
  /** None: it holds no hooks of this dialect. */
  known(look: PackLook): KnownPack | undefined;
  /** A module by itself, by its text: it is evaluated only when it is loaded. */
  claims?(text: string): boolean;
}

const NEEDS = ['dependencies', 'peerDependencies', 'devDependencies'] as const;

/** Is it written against a package of this name? */
export const needsPackage = (manifest: Fields, name: RegExp): boolean =>
  NEEDS.some((key) => Object.keys((manifest[key] ?? {}) as object).some((one) => name.test(one)));

export const keywordsOf = (manifest: Fields): string[] =>
  Array.isArray(manifest['keywords']) ? manifest['keywords'].map(String) : [];

/** Where hooks stand in what people publish for one agent. */
export interface SettingsForms {
  readonly dialect: string;
  /** The manifest of its plugins or extensions, which may name further files under `hooks`. */
  readonly manifest?: string;
  /** A folder with the usual file and no manifest at all is one of its plugins. */
  readonly needsNoManifest?: true;
  /** A list of plugins, each in a folder below. */
  readonly marketplace?: string;
  /** Settings files of a project. */
  readonly project: RegExp;
}

/** Where plugins of all these agents keep their hooks, unless the manifest says otherwise. */
const USUAL = 'hooks/hooks.json';
/** By these a folder is known to be made for one agent or another. */
const MANIFESTS: readonly string[] = [
  '.claude-plugin/plugin.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'gemini-extension.json',
];

/** Packs of a dialect whose hooks are commands in settings files. */
export const settingsPacks = (forms: SettingsForms): PackTerms => ({
  known(look) {
    const plugins = ['', ...marketFolders(forms, look)].flatMap((folder) => {
      const settings = pluginSettings(forms, inFolder(look, folder));
      return settings.map((path) => ({ folder, path }));
    });
    const own = plugins.length > 0 ? plugins : projectSettings(forms, look);
    if (own.length === 0) return undefined;
    return {
      entries: own.map(({ folder, path }) => ({
        path: folder === '' ? '.' : folder,
        dialect: forms.dialect,
        ...(path !== USUAL && { settings: path }),
      })),
      modules: own.map(({ folder, path }) => (folder === '' ? path : `${folder}/${path}`)),
      ...(plugins.length === 0 && { isProject: true }),
    };
  },
});

type FolderLook = Pick<PackLook, 'files' | 'json'>;

function inFolder({ files, json }: FolderLook, folder: string): FolderLook {
  if (folder === '') return { files, json };
  const head = `${folder}/`;
  return {
    files: files.filter((path) => path.startsWith(head)).map((path) => path.slice(head.length)),
    json: (path) => json(head + path),
  };
}

const isBelow = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !/(?:^|\/)\.\.(?:\/|$)/.test(path);
const relativePath = (path: string): string => path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');

/** Plugins that a marketplace keeps in its own folder; others are added by their own address. */
function marketFolders({ marketplace = '' }: SettingsForms, { files, json }: FolderLook): string[] {
  if (!files.includes(marketplace)) return [];
  const { plugins, metadata } = json(marketplace) ?? {};
  const root = isFields(metadata) && typeof metadata['pluginRoot'] === 'string' ? metadata['pluginRoot'] : '';
  return (Array.isArray(plugins) ? plugins : []).flatMap((plugin: unknown) => {
    const source = isFields(plugin) ? plugin['source'] : undefined;
    const path = isFields(source) ? source['path'] : source;
    if (typeof path !== 'string') return [];
    const folder = relativePath(path.startsWith('.') || root === '' ? path : `${root}/${path}`);
    return isBelow(folder) ? [folder] : [];
  });
}

function pluginSettings({ manifest, needsNoManifest }: SettingsForms, { files, json }: FolderLook): string[] {
  const isOwn = manifest !== undefined && files.includes(manifest);
  const isPlain = needsNoManifest === true && !MANIFESTS.some((one) => files.includes(one));
  if (!isOwn && !isPlain) return [];
  const { hooks } = (isOwn ? json(manifest) : undefined) ?? {};
  const named = (Array.isArray(hooks) ? hooks : [hooks]).flatMap((one: unknown) =>
    typeof one === 'string' ? [relativePath(one)] : isFields(one) ? [manifest!] : [],
  );
  return [...new Set([USUAL, ...named])].filter((path) => files.includes(path));
}

const projectSettings = ({ project }: SettingsForms, { files, json }: FolderLook) =>
  files
    .filter((path) => project.test(path) && isFields(json(path)?.['hooks']))
    .map((path) => ({ folder: '', path }));
