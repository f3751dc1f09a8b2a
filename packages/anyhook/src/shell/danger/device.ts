import type { Danger } from './rule.ts';

/** A disk, a partition or a volume, but not `/dev/null` or a terminal. */
export const DISK =
  /^(?:of=)?(?:\/dev\/(?:[shv]d[a-z]|xvd|nvme|r?disk\d|mmcblk|md\d|dm-|mapper\/|disk\/|loop\d|zd\d|nbd|sr\d|st\d|mtd|ram\d|block\/|\w*\/?vg)|\\\\[.?]\\PhysicalDrive\d|[A-Za-z]:$|\/vol\d)/;
const WIPES = 'it wipes a device';
const OVERWRITES = 'it overwrites a device';
/** Options with which the program only reads. */
const LOOKS =
  /^(?:-l|--list|-p|--print|-i|--info|-V|--version|--help|-h|print|list|info|status|show|dump|-n|--no-act|--dry-run|-d|--dump|-J|--json)$/;

export const DEVICE: Danger = {
  instead: 'Show what is on the device (`lsblk -f`, `fdisk -l`) and let the person do it.',
  writes: { pattern: DISK, why: OVERWRITES },
  rules: [
    {
      command: 'dd|dcfldd|dc3dd',
      word: /^of=\/dev\/(?!null|stdout|stderr|tty|zero|full|shm\/|fd\/)/,
      why: OVERWRITES,
    },
    {
      command:
        'tee|sponge|ddrescue|gddrescue|partclone.restore|ntfsclone|cp|gcp|install|mv|gmv|truncate|fallocate|ln|rsync|rm|unlink|wodim|growisofs|bmaptool',
      last: DISK,
      without: ['n|help|l|list'],
      noWord: LOOKS,
      why: OVERWRITES,
    },
    {
      command: 'shred|srm|wipe|scrub|badblocks',
      operand: DISK,
      noWord: /^--help$/,
      why: WIPES,
    },
    {
      command:
        'mkfs|mke2fs|mkfs.ext2|mkfs.ext3|mkfs.ext4|mkfs.xfs|mkfs.vfat|mkfs.fat|mkfs.exfat|mkfs.ntfs|mkfs.btrfs|mkfs.f2fs|mkfs.jfs|mkfs.minix|mkfs.bfs|mkfs.cramfs|mkfs.reiserfs|mkfs.udf|mkdosfs|mkntfs|mkudffs|mkexfatfs|mkswap|mkreiserfs|newfs|newfs_apfs|newfs_hfs|newfs_msdos|bcachefs|make-bcache',
      operand: DISK,
      noWord: /^(?:-n|--dry-run|-V|--version|--help)$/,
      why: WIPES,
    },
    { command: 'wipefs', with: ['a|all|o|offset'], operand: DISK, without: ['n|no-act'], why: WIPES },
    { command: 'blkdiscard|blkzone', operand: DISK, noWord: LOOKS, why: WIPES },
    {
      command: 'fdisk|sfdisk|cfdisk|gdisk|sgdisk|cgdisk|gpart|delpart|addpart|resizepart',
      operand: DISK,
      noWord: LOOKS,
      why: WIPES,
    },
    {
      command: 'parted|gparted',
      operand: DISK,
      word: /^(?:mklabel|mktable|mkpart|rm|resizepart|rescue|disk_set)$/,
      why: WIPES,
    },
    { command: 'partx|kpartx', with: ['d|delete'], why: WIPES },
    {
      command: 'cryptsetup',
      word: /^(?:luksFormat|erase|luksErase|luksKillSlot|luksRemoveKey)$/,
      why: 'it makes encrypted data unreadable',
    },
    {
      command: 'hdparm',
      word: /^--(?:security-erase\S*|trim-sector-ranges\S*|write-sector|repair-sector|make-bad-sector|fwdownload\S*|sanitize-\S*|dco-restore|yes-i-know-what-i-am-doing)$/,
      why: WIPES,
    },
    { command: 'nvme', first: /^(?:format|sanitize|delete-ns|write\S*|dsm|detach-ns|fw-\w+)$/, why: WIPES },
    {
      command:
        'sg_format|sg_sanitize|sg_unmap|sg_write_same|scsi_format|sedutil-cli|flash_erase|flash_eraseall|nandwrite|ubiformat|flashrom',
      why: WIPES,
    },
    { command: 'mdadm', word: /^--(?:zero-superblock|create|stop|remove|fail)$|^-(?:C|S|r|f)$/, why: WIPES },
    {
      command: 'lvremove|vgremove|pvremove|lvreduce|vgreduce|pvcreate',
      noWord: /^(?:-t|--test)$/,
      why: 'it deletes a volume',
    },
    { command: 'lvm', first: /^(?:lv|vg|pv)remove$/, noWord: /^(?:-t|--test)$/, why: 'it deletes a volume' },
    { command: 'dmsetup', first: /^(?:remove|remove_all|wipe_table|clear)$/, why: 'it deletes a volume' },
    {
      command: 'zfs|zpool',
      first: /^(?:destroy|labelclear|rollback)$/,
      noWord: /^-[a-zA-Z]*n/,
      why: 'it deletes a volume',
    },
    { command: 'btrfs subvolume|btrfs sub', first: /^del/, why: 'it deletes a volume' },
    {
      command: 'btrfs',
      word: /^del(?:ete)?$/,
      operand: /^(?:subvolume|sub|device)$/,
      why: 'it deletes a volume',
    },
    {
      command: 'diskutil',
      first:
        /^(?:erase\w*|secureErase|zeroDisk|randomDisk|partitionDisk|reformat|deleteVolume\w*|resizeVolume|splitPartition|mergePartitions)$/i,
      why: WIPES,
    },
    {
      command: 'diskutil',
      first: /^(?:apfs|cs|coreStorage|appleRAID)$/i,
      word: /^delete\w*|^erase\w*/i,
      why: WIPES,
    },
    { command: 'hdiutil', word: /^(?:erasekeys)$/, why: WIPES },
    { command: 'asr', word: /^--?erase$/, why: WIPES },
    { command: 'tmutil', first: /^(?:delete\w*|thinlocalsnapshots)$/, why: 'it deletes backups' },
    { command: 'snapper', word: /^(?:delete|rm|remove)$/, why: 'it deletes backups' },
    { command: 'timeshift', word: /^--delete(?:-all)?$/, why: 'it deletes backups' },
    {
      command: 'restic|borg|borgmatic|kopia|duplicity|rustic',
      word: /^(?:forget|prune|delete|snapshot-delete|remove-all\S*)$/,
      noWord: /^(?:-n|--dry-run)$/,
      why: 'it deletes backups',
    },
    { command: 'format|format.com', operand: /^[A-Za-z]:\\?$/, why: WIPES },
    { command: 'diskpart', why: WIPES },
    { command: 'vssadmin', first: /^delete$/i, why: 'it deletes backups' },
    { command: 'wbadmin', first: /^delete$/i, why: 'it deletes backups' },
    { command: 'cipher', word: /^\/w/i, why: WIPES },
    {
      command:
        'Clear-Disk|Format-Volume|Initialize-Disk|Remove-Partition|Remove-PhysicalDisk|Clear-Content-Disk',
      noWord: /^-WhatIf$/i,
      why: WIPES,
    },
  ],
};
