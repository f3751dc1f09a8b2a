/**
 * Recognises folders with packed hooks of a dialect, and describes how a settings file names their content.
 */

import type { Fields } from './effects.ts';
import { isFields } from './fields.ts';

/** An item of `hookPaths`. Paths are relative to the pack. */
export type PackEntry =
  | string
  | { readonly path: string; readonly dialect: string; readonly settings?: string };

/** A view of a folder. The dialect itself does no I/O. */
export interface PackLook {
  /** Relative paths with `/`. */
  readonly files: readonly string[];
  /** Its `package.json`, or an empty object. */
  readonly manifest: Fields;
  json(path: string): Fields | undefined;
  /** Returns true if the file is a module of ours: it calls `defineHook` or has callbacks by event. */
  holdsOwnHooks(path: string): boolean;
  /** The entry point according to its `package.json`. */
  start(): string | undefined;
  /** The extensions listed in its `package.json`, or the files in the default folder for extensions. */
  extensions(): readonly string[];
}
/** What a folder contains for one dialect. */
export interface KnownPack {
  readonly entries: readonly PackEntry[];
  /** The files with hooks, for display. */
  readonly modules: readonly string[];
  /** Only files that these name belong to the pack; the rest is an ordinary project. */
  readonly isProject?: true;
}
export interface PackTerms {
  /** Returns undefined if the folder has no hooks of this dialect. */
  known(look: PackLook): KnownPack | undefined;
  /** Recognises a single module by its text, without running it. */
  claims?(text: string): boolean;
}

const NEEDS = ['dependencies', 'peerDependencies', 'devDependencies'] as const;

/** Returns true if the manifest depends on a package with this name. */
export const needsPackage = (manifest: Fields, name: RegExp): boolean =>
  NEEDS.some((key) => Object.keys((manifest[key] ?? {}) as object).some((one) => name.test(one)));

export const keywordsOf = (manifest: Fields): string[] =>
  Array.isArray(manifest['keywords']) ? manifest['keywords'].map(String) : [];

/** Where the plugins of one agent keep hooks. */
export interface SettingsForms {
  readonly dialect: string;
  /** The manifest of its plugins or extensions. It may name more files under `hooks`. */
  readonly manifest?: string;
  /** A folder with the default file and without any manifest is one of its plugins. */
  readonly needsNoManifest?: true;
  /** A list of plugins, each in a folder below. */
  readonly marketplace?: string;
  /** Settings files of a project. */
  readonly project: RegExp;
}

/** The default hooks file of all these agents' plugins. */
const USUAL = 'hooks/hooks.json';
/** Files that mark a folder as a plugin of a certain agent. */
const MANIFESTS: readonly string[] = [
  '.claude-plugin/plugin.json',
  '.codex-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'gemini-extension.json',
];

/** Recognises packs of a dialect whose hooks are commands in settings files. */
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

/** Returns the plugins in the marketplace's own folder. Others are added by their own URL. */
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
